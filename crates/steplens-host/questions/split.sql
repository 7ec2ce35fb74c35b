-- How does each step of each task divide?
-- A row for each run, task and step. Times in ns: window_ns = compute_ns + every exposed_ figure + idle_ns.
-- own_ns is what the task did itself: busy_ns less what it waited for others (exposed_communication_ns, exposed_waiting_ns).
SELECT
  split.run, split.task, split.step, split.day, split.start_unix_ns, split.window_ns, split.busy_ns, split.compute_ns,
  split.exposed_input_ns, split.exposed_copy_ns, split.exposed_communication_ns, split.exposed_launch_ns,
  split.exposed_allocation_ns, split.exposed_waiting_ns, split.idle_ns, split.communication_ns,
  split.overlapped_communication_ns, split.own_ns, split.file
FROM split
CROSS JOIN asked
WHERE asked.run IS NULL OR split.run = asked.run
ORDER BY split.run, split.task, split.step, split.file
