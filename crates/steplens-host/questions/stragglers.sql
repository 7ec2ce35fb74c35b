-- Which task is behind its peers, by how much, on which days, and why?
-- A row for each run, task and day; first the task that is behind most over all days of its run (run_behind_ns).
-- Peers are the tasks of one job in one step: of the same file where it holds several of them, else of the same number of the step.
-- A task is behind in a step if its own_ns exceeds the median of its peers by more than 5 %; behind_ns sums by how much, in ns.
-- cause: the part of own_ns that exceeds the median of the step most, over these steps (cause_ns).
-- op_type: of that part, the op type that takes longest next to the mean of the peers, over the steps of the day (op_type_ns).
-- found_steps, found_cause, found_op: what the analysis of files that hold several tasks says; null without such files.
-- Damaged sources are left out: `failures` has them.
WITH own AS (
  SELECT
    split.run, split.file, split.task, split.job, split.step, split.day, split.own_ns, split.compute_ns,
    split.exposed_input_ns, split.exposed_copy_ns, split.exposed_launch_ns, split.exposed_allocation_ns,
    CASE
      WHEN count(*) OVER (PARTITION BY split.run, split.file, split.job, split.step) > 1 THEN split.file
      ELSE ''
    END AS together
  FROM split
  CROSS JOIN asked
  WHERE split.task <> '' AND (asked.run IS NULL OR split.run = asked.run)
    AND NOT EXISTS (
      SELECT 1 FROM sources AS damaged
      WHERE damaged.run = split.run AND damaged.file = split.file AND damaged.state = 'damaged'
    )
),
placed AS (
  SELECT
    own.*,
    row_number() OVER (PARTITION BY run, job, together, step ORDER BY own_ns, task, file) AS place,
    count(*) OVER (PARTITION BY run, job, together, step) AS tasks
  FROM own
),
-- The median of the others, for a task of the upper half: without it, the middle is half a place lower.
usual AS (
  SELECT
    run, job, together, step,
    CAST(floor(
      CAST(sum(CASE WHEN 2 * place IN (tasks - 1, tasks, tasks + 1) THEN own_ns END) AS DOUBLE)
      / count(CASE WHEN 2 * place IN (tasks - 1, tasks, tasks + 1) THEN 1 END)
    ) AS BIGINT) AS own_ns,
    CAST(floor(median(compute_ns)) AS BIGINT) AS compute_ns,
    CAST(floor(median(exposed_input_ns)) AS BIGINT) AS exposed_input_ns,
    CAST(floor(median(exposed_copy_ns)) AS BIGINT) AS exposed_copy_ns,
    CAST(floor(median(exposed_launch_ns)) AS BIGINT) AS exposed_launch_ns,
    CAST(floor(median(exposed_allocation_ns)) AS BIGINT) AS exposed_allocation_ns
  FROM placed
  WHERE tasks > 1
  GROUP BY run, job, together, step
),
compared AS (
  SELECT
    placed.run, placed.job, placed.task, placed.day,
    CASE WHEN (placed.own_ns - usual.own_ns) * 20 > usual.own_ns THEN 1 ELSE 0 END AS behind,
    placed.own_ns - usual.own_ns AS over_ns,
    placed.compute_ns - usual.compute_ns AS compute_ns,
    placed.exposed_input_ns - usual.exposed_input_ns AS input_ns,
    placed.exposed_copy_ns - usual.exposed_copy_ns AS copy_ns,
    placed.exposed_launch_ns - usual.exposed_launch_ns AS launch_ns,
    placed.exposed_allocation_ns - usual.exposed_allocation_ns AS allocation_ns
  FROM placed
  JOIN usual
    ON placed.run = usual.run AND placed.job = usual.job AND placed.together = usual.together
    AND placed.step = usual.step
),
days AS (
  SELECT
    run, job, task, day,
    count(*) AS steps,
    CAST(sum(behind) AS BIGINT) AS behind_steps,
    CAST(sum(over_ns * behind) AS BIGINT) AS behind_ns,
    max(over_ns) AS most_ns,
    CAST(sum(compute_ns * behind) AS BIGINT) AS compute_ns,
    CAST(sum(input_ns * behind) AS BIGINT) AS input_ns,
    CAST(sum(copy_ns * behind) AS BIGINT) AS copy_ns,
    CAST(sum(launch_ns * behind) AS BIGINT) AS launch_ns,
    CAST(sum(allocation_ns * behind) AS BIGINT) AS allocation_ns
  FROM compared
  GROUP BY run, job, task, day
),
judged AS (
  SELECT
    days.*,
    greatest(compute_ns, input_ns, copy_ns, launch_ns, allocation_ns) AS cause_ns,
    CAST(sum(behind_ns) OVER (PARTITION BY run, job, task) AS BIGINT) AS run_behind_ns
  FROM days
),
caused AS (
  SELECT
    judged.*,
    CASE cause_ns
      WHEN compute_ns THEN 'compute'
      WHEN input_ns THEN 'input'
      WHEN copy_ns THEN 'copy'
      WHEN launch_ns THEN 'launch'
      ELSE 'allocation'
    END AS cause
  FROM judged
  WHERE behind_steps > 0
),
sums AS (
  SELECT
    op_types.run, op_types.job, op_types.task, op_types.day, op_types.category, op_types.op_type,
    CAST(sum(op_types.self_ns) AS BIGINT) AS self_ns
  FROM op_types
  CROSS JOIN asked
  WHERE op_types.category IN ('compute', 'input', 'copy', 'launch', 'allocation')
    AND (asked.run IS NULL OR op_types.run = asked.run)
    AND NOT EXISTS (
      SELECT 1 FROM sources AS damaged
      WHERE damaged.run = op_types.run AND damaged.file = op_types.file AND damaged.state = 'damaged'
    )
  GROUP BY op_types.run, op_types.job, op_types.task, op_types.day, op_types.category, op_types.op_type
),
job_sums AS (
  SELECT run, job, day, category, op_type, CAST(sum(self_ns) AS BIGINT) AS self_ns
  FROM sums
  GROUP BY run, job, day, category, op_type
),
job_steps AS (
  SELECT run, job, day, CAST(sum(steps) AS BIGINT) AS steps
  FROM days
  GROUP BY run, job, day
),
types AS (
  SELECT
    caused.run, caused.task, caused.day, sums.op_type,
    sums.self_ns - CAST(floor(
      coalesce((job_sums.self_ns - sums.self_ns) * 1e0 / nullif(job_steps.steps - caused.steps, 0), 0) * caused.steps
    ) AS BIGINT) AS over_ns
  FROM caused
  JOIN sums
    ON sums.run = caused.run AND sums.job = caused.job AND sums.task = caused.task AND sums.day = caused.day
    AND sums.category = caused.cause
  JOIN job_sums
    ON job_sums.run = sums.run AND job_sums.job = sums.job AND job_sums.day = sums.day
    AND job_sums.category = sums.category AND job_sums.op_type = sums.op_type
  JOIN job_steps
    ON job_steps.run = caused.run AND job_steps.job = caused.job AND job_steps.day = caused.day
),
first_types AS (
  SELECT types.*, row_number() OVER (PARTITION BY run, task, day ORDER BY over_ns DESC, op_type) AS place
  FROM types
),
found_by AS (
  SELECT
    run, task, day, cause, cause_op, count(*) AS steps, CAST(sum(behind_ns) AS BIGINT) AS behind_ns
  FROM stragglers
  WHERE NOT EXISTS (
    SELECT 1 FROM sources AS damaged
    WHERE damaged.run = stragglers.run AND damaged.file = stragglers.file AND damaged.state = 'damaged'
  )
  GROUP BY run, task, day, cause, cause_op
),
found AS (
  SELECT
    found_by.*,
    CAST(sum(steps) OVER (PARTITION BY run, task, day) AS BIGINT) AS found_steps,
    row_number() OVER (
      PARTITION BY run, task, day
      ORDER BY behind_ns DESC, cause NULLS LAST, cause_op NULLS LAST
    ) AS place
  FROM found_by
)
SELECT
  caused.run, caused.task, caused.day, caused.steps, caused.behind_steps, caused.behind_ns,
  caused.most_ns AS behind_most_ns, caused.run_behind_ns, caused.cause, caused.cause_ns,
  first_types.op_type, first_types.over_ns AS op_type_ns,
  found.found_steps, found.cause AS found_cause, found.cause_op AS found_op
FROM caused
LEFT JOIN first_types
  ON first_types.run = caused.run AND first_types.task = caused.task AND first_types.day = caused.day
  AND first_types.place = 1 AND first_types.over_ns > 0
LEFT JOIN found
  ON found.run = caused.run AND found.task = caused.task AND found.day = caused.day AND found.place = 1
ORDER BY caused.run_behind_ns DESC, caused.run, caused.task, caused.day
