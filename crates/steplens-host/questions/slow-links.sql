-- Which links are slow next to the others?
-- A row for each run and link; first the one that lost most, next to the median of its kind (between tasks, or within one) in its run.
-- Only transfers whose sending and receipt are known count: rate = timed_bytes / busy_ns, in bytes/s (busy_ns: when at least one was in transit).
-- rate_ppm: the rate next to the median, in millionths. lost_ns: how much less busy it would be at the median rate, in ns.
-- is_small: 1 for links with less than a tenth of the median's bytes, which latency rules.
-- Damaged sources are left out: `failures` has them.
WITH summed AS (
  SELECT
    links.run, links.source, links.destination,
    CASE WHEN links.source_task = links.destination_task THEN 'within' ELSE 'between' END AS kind,
    CAST(sum(links.transfers) AS BIGINT) AS transfers,
    CAST(sum(links.timed_transfers) AS BIGINT) AS timed_transfers,
    CAST(sum(links.timed_bytes) AS BIGINT) AS timed_bytes,
    CAST(sum(links.busy_ns) AS BIGINT) AS busy_ns
  FROM links
  CROSS JOIN asked
  WHERE (asked.run IS NULL OR links.run = asked.run) AND NOT EXISTS (
    SELECT 1 FROM sources AS damaged
    WHERE damaged.run = links.run AND damaged.file = links.file AND damaged.state = 'damaged'
  )
  GROUP BY links.run, links.source, links.destination, links.source_task, links.destination_task
),
rated AS (
  SELECT summed.*, CAST(floor(timed_bytes * 1e9 / busy_ns) AS BIGINT) AS rate
  FROM summed
  WHERE busy_ns > 0 AND timed_bytes > 0
),
medians AS (
  SELECT run, kind, count(*) AS links, median(rate) AS rate, median(timed_bytes) AS timed_bytes
  FROM rated
  GROUP BY run, kind
),
compared AS (
  SELECT
    rated.run, rated.source, rated.destination, rated.kind, rated.transfers, rated.timed_transfers,
    rated.timed_bytes, rated.busy_ns, rated.rate,
    CAST(floor(medians.rate) AS BIGINT) AS median_rate,
    medians.links,
    CAST(floor(rated.rate * 1e6 / nullif(medians.rate, 0)) AS BIGINT) AS rate_ppm,
    rated.busy_ns - CAST(floor(rated.timed_bytes * 1e9 / nullif(medians.rate, 0)) AS BIGINT) AS lost_ns,
    CAST(CASE WHEN rated.timed_bytes * 10 < medians.timed_bytes THEN 1 ELSE 0 END AS BIGINT) AS is_small
  FROM rated
  JOIN medians ON medians.run = rated.run AND medians.kind = rated.kind
)
SELECT
  run, source, destination, lost_ns, rate, median_rate, rate_ppm, busy_ns, timed_bytes, kind,
  transfers, timed_transfers, links, is_small
FROM compared
ORDER BY lost_ns DESC NULLS LAST, rate_ppm NULLS LAST, run, source, destination
