-- Where does memory peak?
-- A row for each run, task, device, allocator and reading (docs/memory.md): its highest peak in bytes, next to the median of its sources.
-- peak_ns: when that was, in ns from the first op of its source. The highest comes first.
-- Damaged sources are left out: `failures` has them.
WITH peaks AS (
  SELECT
    memory.*,
    row_number() OVER (
      PARTITION BY memory.run, memory.task, memory.device, memory.allocator, memory.reading
      ORDER BY memory.peak_bytes DESC, memory.file
    ) AS place
  FROM memory
  CROSS JOIN asked
  WHERE (asked.run IS NULL OR memory.run = asked.run) AND NOT EXISTS (
    SELECT 1 FROM sources AS damaged
    WHERE damaged.run = memory.run AND damaged.file = memory.file AND damaged.state = 'damaged'
  )
),
medians AS (
  SELECT
    run, task, device, allocator, reading, count(*) AS sources,
    CAST(floor(median(peak_bytes)) AS BIGINT) AS median_bytes
  FROM peaks
  GROUP BY run, task, device, allocator, reading
)
SELECT
  peaks.run, peaks.task, peaks.device, peaks.allocator, peaks.reading, peaks.basis, peaks.peak_bytes,
  medians.median_bytes, medians.sources, peaks.peak_ns, peaks.day, peaks.file
FROM peaks
JOIN medians
  ON medians.run = peaks.run AND medians.task = peaks.task AND medians.device IS NOT DISTINCT FROM peaks.device
  AND medians.allocator = peaks.allocator AND medians.reading = peaks.reading
WHERE peaks.place = 1
ORDER BY peaks.peak_bytes DESC, peaks.run, peaks.task, peaks.device NULLS FIRST, peaks.allocator,
  peaks.reading
