-- Which sources could not be read, or not whole?
-- A row for each source whose state is not 'whole': 'unreadable' ones first, then those with no trace inside, then damaged ones, of which the rest counts.
-- code, what: the first problem. problems: how many there are. bytes: the size of the file.
SELECT
  sources.run, sources.file, sources.state, sources.code, sources.what, sources.problems, sources.format,
  sources.bytes, sources.ops, sources.steps
FROM sources
CROSS JOIN asked
WHERE sources.state <> 'whole' AND (asked.run IS NULL OR sources.run = asked.run)
ORDER BY
  CASE sources.state WHEN 'unreadable' THEN 1 WHEN 'no-trace' THEN 2 ELSE 3 END,
  sources.run, sources.file
