-- Which finding costs the fleet most?
-- A row for each rule and subject. saving_ns: the savings of the sources' median steps together, in ns; the largest comes first.
-- over_steps_ns: each saving times the steps of its source, an estimate of what all recorded steps would save.
-- A saving is what that change alone saves: two of them together may save less than their sum.
-- what, advice: as said of the source with the largest saving. Findings without a saving come last.
-- Damaged sources are left out: `failures` has them.
WITH costs AS (
  SELECT
    findings.run, findings.file, findings.rule, findings.subject, findings.what, findings.advice, findings.saving_ns,
    findings.step_ns, findings.saving_ns * coalesce(sources.steps, 1) AS over_steps_ns
  FROM findings
  CROSS JOIN asked
  LEFT JOIN sources ON sources.run = findings.run AND sources.file = findings.file
  WHERE (asked.run IS NULL OR findings.run = asked.run) AND NOT EXISTS (
    SELECT 1 FROM sources AS damaged
    WHERE damaged.run = findings.run AND damaged.file = findings.file AND damaged.state = 'damaged'
  )
),
sums AS (
  SELECT
    rule, subject,
    CAST(sum(saving_ns) AS BIGINT) AS saving_ns,
    CAST(sum(over_steps_ns) AS BIGINT) AS over_steps_ns,
    CAST(floor(CAST(sum(saving_ns) AS DOUBLE) * 1e6 / nullif(sum(step_ns), 0)) AS BIGINT) AS share_ppm,
    count(DISTINCT concat(run, '/', file)) AS sources,
    count(DISTINCT run) AS runs
  FROM costs
  GROUP BY rule, subject
),
examples AS (
  SELECT
    rule, subject, run, file, what, advice,
    row_number() OVER (
      PARTITION BY rule, subject ORDER BY saving_ns DESC NULLS LAST, run, file, what, advice
    ) AS place
  FROM costs
)
SELECT
  sums.rule, sums.subject, sums.saving_ns, sums.over_steps_ns, sums.share_ppm, sums.sources, sums.runs, examples.what,
  examples.advice, examples.run AS example_run, examples.file AS example_file
FROM sums
JOIN examples ON examples.rule = sums.rule AND examples.subject = sums.subject AND examples.place = 1
ORDER BY sums.saving_ns DESC NULLS LAST, sums.sources DESC, sums.rule, sums.subject
