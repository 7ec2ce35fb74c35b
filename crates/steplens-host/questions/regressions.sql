-- Which op types take longer on a day than on an earlier one?
-- A row for each job, category, op type and place (host or accelerator): the mean self time of a step of one task, in ns, on day_a and on day_b.
-- Without days: the first and the last day. steps_a, steps_b: how many steps of tasks of that job there are on each.
-- difference_ns = mean_b_ns - mean_a_ns; the largest growth comes first. difference_ppm: of mean_a_ns, in millionths.
-- is_waiting: 1 for communication and waiting, whose time includes that of others; they come last. Ranges are left out.
-- Damaged sources are left out: `failures` has them.
WITH chosen AS (
  SELECT split.run, split.job, split.day
  FROM split
  CROSS JOIN asked
  WHERE (asked.run IS NULL OR split.run = asked.run) AND NOT EXISTS (
    SELECT 1 FROM sources AS damaged
    WHERE damaged.run = split.run AND damaged.file = split.file AND damaged.state = 'damaged'
  )
),
days AS (
  SELECT
    coalesce(max(asked.day_a), min(chosen.day)) AS day_a,
    coalesce(max(asked.day_b), max(chosen.day)) AS day_b
  FROM chosen
  CROSS JOIN asked
),
counted AS (
  SELECT
    chosen.job, days.day_a, days.day_b,
    count(CASE WHEN chosen.day = days.day_a THEN 1 END) AS steps_a,
    count(CASE WHEN chosen.day = days.day_b THEN 1 END) AS steps_b
  FROM chosen
  CROSS JOIN days
  GROUP BY chosen.job, days.day_a, days.day_b
),
sums AS (
  SELECT
    op_types.job, op_types.category, op_types.op_type, op_types.place,
    CAST(sum(CASE WHEN op_types.day = days.day_a THEN op_types.self_ns ELSE 0 END) AS BIGINT) AS self_a_ns,
    CAST(sum(CASE WHEN op_types.day = days.day_b THEN op_types.self_ns ELSE 0 END) AS BIGINT) AS self_b_ns
  FROM op_types
  CROSS JOIN days
  CROSS JOIN asked
  WHERE op_types.category <> 'range'
    AND (op_types.day = days.day_a OR op_types.day = days.day_b)
    AND (asked.run IS NULL OR op_types.run = asked.run)
    AND NOT EXISTS (
      SELECT 1 FROM sources AS damaged
      WHERE damaged.run = op_types.run AND damaged.file = op_types.file AND damaged.state = 'damaged'
    )
  GROUP BY op_types.job, op_types.category, op_types.op_type, op_types.place
),
means AS (
  SELECT
    sums.job, sums.category, sums.op_type, sums.place, counted.day_a, counted.day_b, counted.steps_a, counted.steps_b,
    CAST(floor(sums.self_a_ns * 1e0 / nullif(counted.steps_a, 0)) AS BIGINT) AS mean_a_ns,
    CAST(floor(sums.self_b_ns * 1e0 / nullif(counted.steps_b, 0)) AS BIGINT) AS mean_b_ns,
    CAST(CASE WHEN sums.category IN ('communication', 'waiting') THEN 1 ELSE 0 END AS BIGINT) AS is_waiting
  FROM sums
  JOIN counted ON counted.job = sums.job
)
SELECT
  job, op_type, mean_b_ns - mean_a_ns AS difference_ns, mean_a_ns, mean_b_ns,
  CAST(floor((mean_b_ns - mean_a_ns) * 1e6 / nullif(mean_a_ns, 0)) AS BIGINT) AS difference_ppm,
  day_a, day_b, category, place, steps_a, steps_b, is_waiting
FROM means
ORDER BY is_waiting, difference_ns DESC NULLS LAST, job, category, op_type, place
