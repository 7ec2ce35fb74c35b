-- Who is last in collectives, and how long do the others wait?
-- A row for each run, collective (by name) and participant; first the one for which the others waited longest, in ns.
-- basis 'trace': one file has all participants, and says who came last. basis 'lengths': each participant has a file of its own; the shortest of a
-- collective of the same step, name and place is taken for the last one, and how much longer each other took for what it waited. That needs no
-- common clock, but takes collectives of one place to be the same one.
-- last_ppm: of how many it was the last, in millionths. others_waited_ns: the others' waits together where it was last. waited_ns: its own.
-- Damaged sources are left out: `failures` has them.
WITH known AS (
  SELECT
    collectives.*,
    CASE WHEN collectives.last IS NULL THEN 'lengths' ELSE 'trace' END AS basis,
    CASE WHEN collectives.last IS NULL THEN '' ELSE collectives.file END AS together
  FROM collectives
  CROSS JOIN asked
  WHERE (asked.run IS NULL OR collectives.run = asked.run) AND NOT EXISTS (
    SELECT 1 FROM sources AS damaged
    WHERE damaged.run = collectives.run AND damaged.file = collectives.file AND damaged.state = 'damaged'
  )
),
placed AS (
  SELECT
    known.run, known.basis, known.together, known.step, known.name, known.place, known.task, known.device, known.last,
    CASE
      WHEN known.basis = 'trace' THEN coalesce(known.waiting_ns, 0)
      ELSE known.length_ns
        - min(known.length_ns) OVER (PARTITION BY run, basis, together, step, name, place)
    END AS waited_ns,
    row_number() OVER (
      PARTITION BY run, basis, together, step, name, place
      ORDER BY length_ns, task, device, file, op
    ) AS shortest,
    count(*) OVER (PARTITION BY run, basis, together, step, name, place) AS participants
  FROM known
),
lasts AS (
  SELECT
    placed.*,
    CASE WHEN (basis = 'trace' AND last = 1) OR (basis = 'lengths' AND shortest = 1) THEN 1 ELSE 0 END AS was_last,
    sum(waited_ns) OVER (PARTITION BY run, basis, together, step, name, place) - waited_ns AS others_ns
  FROM placed
  WHERE participants > 1
)
SELECT
  run, name, task, device, basis,
  count(*) AS collectives,
  CAST(sum(was_last) AS BIGINT) AS last_times,
  CAST(floor(sum(was_last) * 1e6 / count(*)) AS BIGINT) AS last_ppm,
  CAST(sum(others_ns * was_last) AS BIGINT) AS others_waited_ns,
  CAST(sum(waited_ns) AS BIGINT) AS waited_ns,
  max(participants) AS participants
FROM lasts
GROUP BY run, name, task, device, basis
ORDER BY others_waited_ns DESC, last_times DESC, run, name, task, device, basis
