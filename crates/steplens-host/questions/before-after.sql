-- What is different after a moment?
-- A row for each figure of the split: its median over the steps that start before the moment at_unix_ns, and over those from it on, in ns.
-- Without a moment: the middle between the first and the last start. A step's figure is the mean over its tasks; steps as in outlier-steps.
-- difference_ns = after_ns - before_ns. noise_ns: 1.57 (spread_before_ns / sqrt(steps_before) + spread_after_ns / sqrt(steps_after)), the spreads
-- being Q3 - Q1: medians that differ by more differ with some 95 % certainty (McGill's notches).
-- sure: 'yes', 'no', or 'few-steps' where a side has fewer than 8. It says nothing of what else changed at that moment.
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
    run, together, step, min(start_unix_ns) AS start_unix_ns,
    max(window_ns) AS window_ns,
    CAST(floor(CAST(sum(busy_ns) AS DOUBLE) / count(*)) AS BIGINT) AS busy_ns,
    CAST(floor(CAST(sum(own_ns) AS DOUBLE) / count(*)) AS BIGINT) AS own_ns,
    CAST(floor(CAST(sum(compute_ns) AS DOUBLE) / count(*)) AS BIGINT) AS compute_ns,
    CAST(floor(CAST(sum(exposed_input_ns) AS DOUBLE) / count(*)) AS BIGINT) AS exposed_input_ns,
    CAST(floor(CAST(sum(exposed_copy_ns) AS DOUBLE) / count(*)) AS BIGINT) AS exposed_copy_ns,
    CAST(floor(CAST(sum(exposed_communication_ns) AS DOUBLE) / count(*)) AS BIGINT) AS exposed_communication_ns,
    CAST(floor(CAST(sum(exposed_launch_ns) AS DOUBLE) / count(*)) AS BIGINT) AS exposed_launch_ns,
    CAST(floor(CAST(sum(exposed_allocation_ns) AS DOUBLE) / count(*)) AS BIGINT) AS exposed_allocation_ns,
    CAST(floor(CAST(sum(exposed_waiting_ns) AS DOUBLE) / count(*)) AS BIGINT) AS exposed_waiting_ns,
    CAST(floor(CAST(sum(idle_ns) AS DOUBLE) / count(*)) AS BIGINT) AS idle_ns,
    CAST(floor(CAST(sum(communication_ns) AS DOUBLE) / count(*)) AS BIGINT) AS communication_ns,
    CAST(floor(CAST(sum(overlapped_communication_ns) AS DOUBLE) / count(*)) AS BIGINT) AS overlapped_communication_ns
  FROM own
  GROUP BY run, together, step
),
moment AS (
  SELECT coalesce(
    max(asked.at_unix_ns),
    min(units.start_unix_ns)
      + CAST(floor((max(units.start_unix_ns) - min(units.start_unix_ns)) / 2e0) AS BIGINT)
  ) AS at_unix_ns
  FROM units
  CROSS JOIN asked
),
figures AS (
  SELECT
    named.place, named.figure, moment.at_unix_ns,
    CASE WHEN units.start_unix_ns < moment.at_unix_ns THEN 'before' ELSE 'after' END AS side,
    CASE named.figure
      WHEN 'window_ns' THEN units.window_ns
      WHEN 'busy_ns' THEN units.busy_ns
      WHEN 'own_ns' THEN units.own_ns
      WHEN 'compute_ns' THEN units.compute_ns
      WHEN 'exposed_input_ns' THEN units.exposed_input_ns
      WHEN 'exposed_copy_ns' THEN units.exposed_copy_ns
      WHEN 'exposed_communication_ns' THEN units.exposed_communication_ns
      WHEN 'exposed_launch_ns' THEN units.exposed_launch_ns
      WHEN 'exposed_allocation_ns' THEN units.exposed_allocation_ns
      WHEN 'exposed_waiting_ns' THEN units.exposed_waiting_ns
      WHEN 'idle_ns' THEN units.idle_ns
      WHEN 'communication_ns' THEN units.communication_ns
      ELSE units.overlapped_communication_ns
    END AS value_ns
  FROM units
  CROSS JOIN moment
  CROSS JOIN (
    VALUES
      (1, 'window_ns'), (2, 'busy_ns'), (3, 'own_ns'), (4, 'compute_ns'), (5, 'exposed_input_ns'),
      (6, 'exposed_copy_ns'), (7, 'exposed_communication_ns'), (8, 'exposed_launch_ns'),
      (9, 'exposed_allocation_ns'), (10, 'exposed_waiting_ns'), (11, 'idle_ns'), (12, 'communication_ns'),
      (13, 'overlapped_communication_ns')
  ) AS named (place, figure)
),
sides AS (
  SELECT
    place, figure, at_unix_ns, side, count(*) AS steps, median(value_ns) AS middle,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY value_ns)
      - percentile_cont(0.25) WITHIN GROUP (ORDER BY value_ns) AS spread
  FROM figures
  GROUP BY place, figure, at_unix_ns, side
),
pairs AS (
  SELECT
    place, figure, at_unix_ns,
    coalesce(max(CASE WHEN side = 'before' THEN steps END), 0) AS steps_before,
    coalesce(max(CASE WHEN side = 'after' THEN steps END), 0) AS steps_after,
    CAST(floor(max(CASE WHEN side = 'before' THEN middle END)) AS BIGINT) AS before_ns,
    CAST(floor(max(CASE WHEN side = 'after' THEN middle END)) AS BIGINT) AS after_ns,
    CAST(floor(max(CASE WHEN side = 'before' THEN spread END)) AS BIGINT) AS spread_before_ns,
    CAST(floor(max(CASE WHEN side = 'after' THEN spread END)) AS BIGINT) AS spread_after_ns
  FROM sides
  GROUP BY place, figure, at_unix_ns
),
judged AS (
  SELECT
    pairs.*,
    after_ns - before_ns AS difference_ns,
    CAST(ceil(
      1.57e0 * (
        spread_before_ns / sqrt(CAST(nullif(steps_before, 0) AS DOUBLE))
        + spread_after_ns / sqrt(CAST(nullif(steps_after, 0) AS DOUBLE))
      )
    ) AS BIGINT) AS noise_ns
  FROM pairs
)
SELECT
  figure, before_ns, after_ns, difference_ns,
  CASE
    WHEN steps_before < 8 OR steps_after < 8 THEN 'few-steps'
    WHEN abs(difference_ns) > noise_ns THEN 'yes'
    ELSE 'no'
  END AS sure,
  noise_ns, CAST(floor(difference_ns * 1e6 / nullif(before_ns, 0)) AS BIGINT) AS difference_ppm,
  at_unix_ns, steps_before, steps_after, spread_before_ns, spread_after_ns
FROM judged
ORDER BY place
