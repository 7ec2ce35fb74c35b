-- Which steps wait for their input?
-- A row for each run, task and step whose exposed input is at least share_ppm of its window (in millionths; 100,000, a tenth, unless asked otherwise).
-- Times in ns; the longest exposed input comes first. op_type: the op type of input that takes longest in that step (op_type_ns, self time).
-- Damaged sources are left out: `failures` has them.
WITH bound AS (
  SELECT
    split.run, split.task, split.step, split.day, split.file, split.start_unix_ns, split.window_ns,
    split.exposed_input_ns,
    CAST(floor(split.exposed_input_ns * 1e6 / nullif(split.window_ns, 0)) AS BIGINT) AS input_ppm
  FROM split
  CROSS JOIN asked
  WHERE split.exposed_input_ns > 0
    AND split.exposed_input_ns * 1e6 >= split.window_ns * coalesce(asked.share_ppm, 100000) * 1e0
    AND (asked.run IS NULL OR split.run = asked.run)
    AND NOT EXISTS (
      SELECT 1 FROM sources AS damaged
      WHERE damaged.run = split.run AND damaged.file = split.file AND damaged.state = 'damaged'
    )
),
sums AS (
  SELECT run, file, task, step, op_type, CAST(sum(self_ns) AS BIGINT) AS self_ns
  FROM op_types
  WHERE category = 'input'
  GROUP BY run, file, task, step, op_type
),
types AS (
  SELECT sums.*, row_number() OVER (PARTITION BY run, file, task, step ORDER BY self_ns DESC, op_type) AS place
  FROM sums
)
SELECT
  bound.run, bound.task, bound.step, bound.day, bound.window_ns, bound.exposed_input_ns, bound.input_ppm,
  types.op_type, types.self_ns AS op_type_ns, bound.start_unix_ns, bound.file
FROM bound
LEFT JOIN types
  ON types.run = bound.run AND types.file = bound.file AND types.task = bound.task AND types.step = bound.step
  AND types.place = 1
ORDER BY bound.exposed_input_ns DESC, bound.run, bound.task, bound.step, bound.file
