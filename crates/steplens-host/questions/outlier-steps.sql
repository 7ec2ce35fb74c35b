-- Which steps are much longer or shorter than the others of their run?
-- A row for each step outside Tukey's fences: below Q1 - 1.5 (Q3 - Q1) or above Q3 + 1.5 (Q3 - Q1) of the lengths in its run.
-- length_ns: the longest window of its tasks, in ns. beyond_ns: how far beyond the fence, negative for short ones; the longest come first.
-- Steps of one number are one step, but where a file holds several tasks, or where no number was recorded: then those of each file are their own.
-- part: which part of the split, as a mean over the tasks, exceeds the run's median most (part_ns); of short ones, which falls short most.
-- task: the one that did most itself (own_ns).
-- Damaged sources are left out: `failures` has them.
WITH own AS (
  SELECT
    split.*,
    CASE
      WHEN sources.step_from = 'place' THEN split.file
      WHEN count(*) OVER (PARTITION BY split.run, split.file, split.step) > 1 THEN split.file
      ELSE ''
    END AS together
  FROM split
  CROSS JOIN asked
  LEFT JOIN sources ON sources.run = split.run AND sources.file = split.file
  WHERE (asked.run IS NULL OR split.run = asked.run) AND NOT EXISTS (
    SELECT 1 FROM sources AS damaged
    WHERE damaged.run = split.run AND damaged.file = split.file AND damaged.state = 'damaged'
  )
),
units AS (
  SELECT
    run, together, step, count(*) AS tasks, min(day) AS day, min(start_unix_ns) AS start_unix_ns,
    max(window_ns) AS length_ns, max(own_ns) AS own_ns,
    CAST(floor(CAST(sum(compute_ns) AS DOUBLE) / count(*)) AS BIGINT) AS compute_ns,
    CAST(floor(CAST(sum(exposed_input_ns) AS DOUBLE) / count(*)) AS BIGINT) AS input_ns,
    CAST(floor(CAST(sum(exposed_copy_ns) AS DOUBLE) / count(*)) AS BIGINT) AS copy_ns,
    CAST(floor(CAST(sum(exposed_communication_ns) AS DOUBLE) / count(*)) AS BIGINT) AS communication_ns,
    CAST(floor(CAST(sum(exposed_launch_ns) AS DOUBLE) / count(*)) AS BIGINT) AS launch_ns,
    CAST(floor(CAST(sum(exposed_allocation_ns) AS DOUBLE) / count(*)) AS BIGINT) AS allocation_ns,
    CAST(floor(CAST(sum(exposed_waiting_ns) AS DOUBLE) / count(*)) AS BIGINT) AS waiting_ns,
    CAST(floor(CAST(sum(idle_ns) AS DOUBLE) / count(*)) AS BIGINT) AS idle_ns
  FROM own
  GROUP BY run, together, step
),
runs AS (
  SELECT
    run, count(*) AS steps,
    percentile_cont(0.25) WITHIN GROUP (ORDER BY length_ns) AS first_quartile,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY length_ns) AS third_quartile,
    median(length_ns) AS length_ns, median(compute_ns) AS compute_ns, median(input_ns) AS input_ns,
    median(copy_ns) AS copy_ns, median(communication_ns) AS communication_ns, median(launch_ns) AS launch_ns,
    median(allocation_ns) AS allocation_ns, median(waiting_ns) AS waiting_ns, median(idle_ns) AS idle_ns
  FROM units
  GROUP BY run
),
fenced AS (
  SELECT
    units.run, units.together, units.step, units.day, units.start_unix_ns, units.tasks, units.length_ns, units.own_ns,
    runs.steps,
    CAST(floor(runs.length_ns) AS BIGINT) AS median_ns,
    CAST(floor(runs.first_quartile - 1.5e0 * (runs.third_quartile - runs.first_quartile)) AS BIGINT) AS low_ns,
    CAST(ceil(runs.third_quartile + 1.5e0 * (runs.third_quartile - runs.first_quartile)) AS BIGINT) AS high_ns,
    units.compute_ns - CAST(floor(runs.compute_ns) AS BIGINT) AS compute_ns,
    units.input_ns - CAST(floor(runs.input_ns) AS BIGINT) AS input_ns,
    units.copy_ns - CAST(floor(runs.copy_ns) AS BIGINT) AS copy_ns,
    units.communication_ns - CAST(floor(runs.communication_ns) AS BIGINT) AS communication_ns,
    units.launch_ns - CAST(floor(runs.launch_ns) AS BIGINT) AS launch_ns,
    units.allocation_ns - CAST(floor(runs.allocation_ns) AS BIGINT) AS allocation_ns,
    units.waiting_ns - CAST(floor(runs.waiting_ns) AS BIGINT) AS waiting_ns,
    units.idle_ns - CAST(floor(runs.idle_ns) AS BIGINT) AS idle_ns
  FROM units
  JOIN runs ON runs.run = units.run
),
outliers AS (
  SELECT
    fenced.*,
    CASE WHEN length_ns > high_ns THEN length_ns - high_ns ELSE length_ns - low_ns END AS beyond_ns,
    CASE
      WHEN length_ns > high_ns THEN greatest(
        compute_ns, input_ns, copy_ns, communication_ns, launch_ns, allocation_ns, waiting_ns, idle_ns
      )
      ELSE least(compute_ns, input_ns, copy_ns, communication_ns, launch_ns, allocation_ns, waiting_ns, idle_ns)
    END AS part_ns
  FROM fenced
  WHERE length_ns > high_ns OR length_ns < low_ns
),
tasks AS (
  SELECT run, together, step, own_ns, min(task) AS task
  FROM own
  GROUP BY run, together, step, own_ns
)
SELECT
  outliers.run, outliers.step, outliers.day, outliers.start_unix_ns, outliers.tasks AS tasks, outliers.length_ns,
  outliers.median_ns, outliers.low_ns, outliers.high_ns, outliers.steps, outliers.beyond_ns,
  CASE outliers.part_ns
    WHEN outliers.compute_ns THEN 'compute'
    WHEN outliers.input_ns THEN 'input'
    WHEN outliers.copy_ns THEN 'copy'
    WHEN outliers.communication_ns THEN 'communication'
    WHEN outliers.launch_ns THEN 'launch'
    WHEN outliers.allocation_ns THEN 'allocation'
    WHEN outliers.waiting_ns THEN 'waiting'
    ELSE 'idle'
  END AS part,
  outliers.part_ns, tasks.task, outliers.together AS file
FROM outliers
JOIN tasks
  ON tasks.run = outliers.run AND tasks.together = outliers.together AND tasks.step = outliers.step
  AND tasks.own_ns = outliers.own_ns
ORDER BY outliers.beyond_ns DESC, outliers.run, outliers.step, outliers.together
