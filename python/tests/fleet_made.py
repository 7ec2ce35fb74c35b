"""A dataset of a fleet that nobody recorded: the tables that questions read, made by DuckDB, with what the questions have to find.

`planted()` says what that is. Everything is a function of the numbers of run, task and step: two datasets of one size are equal.
"""

from pathlib import Path

import duckdb
from steplens import _core

RUNS = ("monday", "it's \\ \"odd\" %41/run")
STRAGGLER, REGRESSED, SLOW = "/job:worker/replica:0/task:3", "Einsum", ("/job:ps/replica:0/task:0", "/job:worker/replica:0/task:2")


class Size:
    """How large the dataset is: `ops` of each task and step, of `types` op types."""

    def __init__(self, workers=6, steps=60, ops=12, types=6):
        self.workers, self.steps, self.ops, self.types = workers, steps, ops, types


def planted():
    """The first row of each question, or a part of it."""
    return {
        "stragglers": {"run": RUNS[0], "task": STRAGGLER, "cause": "compute", "op_type": "Conv2D"},
        "slow-links": {
            "run": RUNS[0], "source": SLOW[0] + "/device:CPU:0", "destination": SLOW[1] + "/device:CPU:0",
        },
        "regressions": {"op_type": REGRESSED, "job": "/job:worker/replica:0"},
        "outlier-steps": {"run": RUNS[0], "step": 17, "part": "input"},
        "before-after": {"figure": "window_ns"},
        "collective-tail": {"run": RUNS[0], "task": STRAGGLER, "name": "all-reduce", "basis": "lengths"},
        "input-bound": {"step": 17, "op_type": "IteratorGetNext"},
        "costliest-finding": {"rule": "straggler", "subject": STRAGGLER},
        "memory-peaks": {"task": "/job:worker/replica:0/task:1", "run": RUNS[1]},
        "failures": {"file": "worker-0/broken.pb", "state": "unreadable"},
        "split": {"run": RUNS[1], "step": 1},
    }


# A task a row. The day changes in the middle of each run; from then on one op type takes longer.
BASE = """
CREATE TEMP TABLE base AS
WITH runs AS (SELECT unnest(range(len($runs))) AS r),
tasks AS (
  SELECT w, '/job:worker/replica:0/task:' || w AS task, '/job:worker/replica:0' AS job FROM range($workers) AS t(w)
  UNION ALL SELECT 1000 + p, '/job:ps/replica:0/task:' || p, '/job:ps/replica:0' FROM range(2) AS t(p)
),
steps AS (SELECT s + 1 AS step FROM range($steps) AS t(s))
SELECT
  $runs[r + 1] AS run, r, w, task, job, step, step * 2 > $steps AS is_late,
  CASE WHEN step * 2 > $steps THEN '2026-11-25' ELSE '2026-11-24' END AS day,
  -- Two runs, one after the other, each over midnight.
  1795478400000000000 + CASE WHEN step * 2 > $steps THEN 86400000000000 ELSE 0 END + step * 400000000 + r * 100000000000 AS start_unix_ns,
  'r' || r || '/' || CASE WHEN w >= 1000 THEN 'ps-' || (w - 1000) ELSE 'worker-' || w END || '/step-' || step || '.pb' AS file,
  (step * 7919 + w * 104729 + r * 31) % 997 AS noise,
  r = 0 AND task = '/job:worker/replica:0/task:3' AS is_straggler,
  r = 0 AND step = 17 AND w < 1000 AS is_outlier
FROM runs, tasks, steps
"""

TYPES = """
CREATE TEMP TABLE kinds AS
SELECT k, CASE k
    WHEN 0 THEN 'Conv2D' WHEN 1 THEN 'Einsum' WHEN 2 THEN 'IteratorGetNext' WHEN 3 THEN 'RecvTensor' WHEN 4 THEN 'MatMul'
    ELSE 'Type' || k END AS op_type,
  CASE k WHEN 2 THEN 'input' WHEN 3 THEN 'communication' ELSE 'compute' END AS category
FROM range($types) AS t(k);
CREATE TEMP TABLE typed AS
SELECT base.*, k, op_type, category,
  CASE
    WHEN k = 2 THEN 4000000 + noise * 500 + CASE WHEN is_outlier THEN 90000000 + w * 1000 ELSE 0 END
    WHEN k = 3 THEN 20000000 + noise * 1000
    WHEN k = 0 THEN 30000000 + noise * 900 + CASE WHEN is_straggler THEN 12000000 + step * 1000 ELSE 0 END
    WHEN k = 1 THEN 10000000 + noise * 300 + CASE WHEN is_late AND w < 1000 THEN 3000000 ELSE 0 END
    ELSE 5000000 + noise * 100
  END AS self_ns,
  greatest($ops // $types, 1) AS count
FROM base, kinds;
"""

# A file of which half is lost. What is left of it says absurd things, which must be the first row of no question.
HALF = """
CREATE TEMP TABLE half AS
SELECT $runs[2] AS run, 'worker-0/half.pb' AS file, '/job:worker/replica:0/task:9' AS task, '/job:worker/replica:0' AS job, '2026-11-25' AS day
"""

TABLES = {
    "op_types": """
SELECT run, file, task, job, step, day, op_type, category, 'host' AS place, count, self_ns AS total_ns, self_ns, self_ns // count + 1 AS max_ns
FROM typed
UNION ALL
SELECT run, file, task, job, 1, day, 'Broken', 'input', 'host', 1, 900000000000, 900000000000, 900000000000 FROM half
ORDER BY task, step, op_type""",
    "split": """
WITH sums AS (
  SELECT run, file, task, job, step, day, start_unix_ns, any_value(noise) AS noise, any_value(is_outlier) AS is_outlier, sum(count) AS ops,
    sum(self_ns) FILTER (WHERE category = 'compute') AS compute_ns, sum(self_ns) FILTER (WHERE category = 'input') AS exposed_input_ns,
    sum(self_ns) FILTER (WHERE category = 'communication') AS communication_ns
  FROM typed GROUP BY ALL
), parts AS (
  SELECT sums.*, compute_ns + exposed_input_ns + communication_ns - communication_ns // 3 AS busy_ns, communication_ns // 3 AS overlapped,
    max(compute_ns + exposed_input_ns + communication_ns) OVER (PARTITION BY run, step) + 1000000 AS window_ns
  FROM sums
)
SELECT run, file, task, job, step, day, start_unix_ns, ops, 1 AS devices, window_ns, busy_ns, compute_ns, exposed_input_ns,
  0 AS exposed_copy_ns, communication_ns - overlapped AS exposed_communication_ns, 0 AS exposed_launch_ns, 0 AS exposed_allocation_ns,
  0 AS exposed_waiting_ns, window_ns - busy_ns AS idle_ns, communication_ns, overlapped AS overlapped_communication_ns,
  busy_ns AS end_ns, busy_ns - (communication_ns - overlapped) AS own_ns
FROM parts
UNION ALL
SELECT run, file, task, job, 1, day, 1795564800000000000, 5, 1, 900000000000, 900000000000, 0, 900000000000, 0, 0, 0, 0, 0, 0, 0, 0,
  900000000000, 900000000000
FROM half ORDER BY task, step""",
    "links": """
SELECT a.run, a.file, a.step, a.day, a.task || '/device:CPU:0' AS source, b.task || '/device:CPU:0' AS destination,
  a.task AS source_task, b.task AS destination_task, 10 AS transfers, 5000000 + a.noise AS bytes, 10 AS timed_transfers,
  5000000 + a.noise AS timed_bytes,
  (4000000 + a.noise * 100 + b.w * 10) * CASE WHEN a.r = 0 AND a.task = $slow[1] AND b.task = $slow[2] THEN 4 ELSE 1 END AS busy_ns
FROM base AS a JOIN base AS b ON a.run = b.run AND a.step = b.step AND (a.w >= 1000) <> (b.w >= 1000)
UNION ALL
SELECT run, file, step, day, task || '/device:CPU:0', task || '/device:GPU:0', task, task, 3, 300, 2, 200, 1000000 + noise FROM base
UNION ALL
-- A link of which nothing is timed, and one that carries little.
SELECT run, file, step, day, task || '/device:CPU:0', 'elsewhere', task, '', 1, 8, 0, 0, 0 FROM base WHERE w = 0
UNION ALL
SELECT run, file, step, day, 'little', task || '/device:CPU:0', '', task, 1, 4, 1, 4, 900000 FROM base WHERE w = 1
UNION ALL
SELECT run, file, 1, day, 'broken', task || '/device:CPU:0', 'tasN:0', task, 9, 9, 9, 9, 900000000000 FROM half
ORDER BY step, source""",
    "collectives": """
SELECT run, file, task, job, step, day, task || '/device:GPU:0' AS device, 'all-reduce' AS name, 'NcclAllReduce' AS op_type, 1 AS place,
  w AS op, start_unix_ns, CASE WHEN is_straggler THEN 2000000 ELSE 14000000 + noise * 10 END AS length_ns,
  CAST(NULL AS BIGINT) AS waiting_ns, CAST(NULL AS BIGINT) AS last
FROM base WHERE w < 1000
UNION ALL
-- One that a file of all participants holds.
SELECT run, 'r' || r || '/whole.pb', task, job, step, day, task || '/device:GPU:0', 'broadcast', 'NcclBroadcast', 1, w, start_unix_ns,
  3000000 + (w * 7 + step) % $workers * 1000,
  ($workers - 1 - (w * 7 + step) % $workers) * 1000, CASE WHEN (w * 7 + step) % $workers = $workers - 1 THEN 1 ELSE 0 END
FROM base WHERE w < 1000
UNION ALL
SELECT run, file, name, job, 1, day, 'device', 'all-reduce', 'NcclAllReduce', 1, w, 0, CASE w WHEN 0 THEN 1 ELSE 900000000000 END, NULL, NULL
FROM half, (VALUES (0, 'tasN:0'), (1, 'tasN:1')) AS t(w, name)
ORDER BY task, step""",
    "memory": """
SELECT run, file, task, task || '/device:GPU:0' AS device, 'GPU_0_bfc' AS allocator, 'records' AS reading, 'exact' AS basis,
  1000000000 + noise * 1000 + CASE WHEN w = 1 AND r = 1 AND step = 5 THEN 900000000 ELSE 0 END AS peak_bytes,
  CASE WHEN step % 2 = 0 THEN noise END AS peak_ns, day
FROM base
UNION ALL
SELECT run, file, task, 'device', 'GPU_0_bfc', 'records', 'exact', 51228445033562112, NULL, day FROM half
ORDER BY task""",
    "findings": """
SELECT run, file, step, day, 'straggler' AS rule, $straggler AS subject, $straggler AS task,
  12000000 + noise AS saving_ns, 90000 AS share_ppm, 120000000 AS step_ns, 'replay' AS basis, 'It ended last.' AS what, 'Look at its input.' AS advice
FROM base WHERE w = 0
UNION ALL
SELECT run, file, step, day, 'input-bound', '', '', 800000 + noise, 6000, 120000000, 'bound', 'It waits.', 'Prefetch.' FROM base WHERE w = 1
UNION ALL
SELECT run, file, step, day, 'clocks', '', '', NULL, NULL, 120000000, 'none', 'Clocks differ.', 'Align them.' FROM base WHERE w = 2
UNION ALL
SELECT run, file, 1, day, 'broken', task, task, 900000000000000, 1000000, 900000000000, 'replay', 'It is broken.', 'Mend it.' FROM half
ORDER BY rule""",
    "stragglers": """
SELECT run, file, task, job, step, day, 9000000 + noise AS after_next_ns, 9500000 + noise AS behind_ns,
  CASE WHEN step % 5 = 0 THEN NULL ELSE 'slow-op' END AS cause, CASE WHEN step % 5 = 0 THEN NULL ELSE 'conv' || step % 2 END AS cause_op,
  'Conv2D' AS cause_op_type, 30000000 AS own_ns, 20000000 AS usual_ns
FROM base WHERE is_straggler AND step % 3 = 0
UNION ALL
SELECT run, file, task, job, 1, day, 900000000000, 900000000000, 'slow-op', 'broken', 'Broken', 900000000000, 1 FROM half
ORDER BY step""",
    "sources": """
SELECT run, file, 123456 AS bytes, 1795478400000000000 AS modified_unix_ns, 'whole' AS state, 'RunMetadata' AS format,
  CAST(NULL AS VARCHAR) AS code, CAST(NULL AS VARCHAR) AS what, 0 AS problems, $ops AS ops, 1 AS steps, 'path' AS step_from
FROM base
UNION ALL
SELECT $runs[1], 'worker-0/broken.pb', 7, 1795478400000000000, 'unreadable', '', 'not-a-trace', 'This is no trace.', 1, 0, 0, 'place'
UNION ALL
SELECT $runs[2], 'worker-0/half.pb', 777, 1795478400000000000, 'damaged', 'RunMetadata', 'damaged-op', 'An op is cut off.', 3, 5, 1, 'place'
ORDER BY file""",
}


OPS = """
SELECT run, file, k * count + n AS op, step, task || '/device:CPU:0' AS device, task, 0 AS lane, CAST(NULL AS VARCHAR) AS thread,
  op_type || '/' || n AS name, op_type, category, 'name' AS reason, n * 1000 AS start_ns, n * 1000 + self_ns // count AS end_ns,
  self_ns // count AS duration_ns, self_ns // count AS self_ns, CAST(NULL AS BIGINT) AS scheduled_ns, CAST(NULL AS BIGINT) AS op_start_ns, CAST(NULL AS BIGINT) AS op_end_ns,
  4096 AS bytes, '' AS label
FROM typed, range(greatest($ops // $types, 1)) AS t(n) ORDER BY task, step, start_ns"""


def make(folder, size=None, with_ops=True):
    """Writes the dataset into `folder`."""
    size = size or Size()
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect()
    values = {
        "runs": list(RUNS), "slow": list(SLOW), "straggler": STRAGGLER, "workers": size.workers, "steps": size.steps,
        "ops": size.ops, "types": size.types,
    }

    def run(statement):
        used = {name: value for name, value in values.items() if "$" + name in statement}
        connection.execute(statement, used)

    for statement in [BASE, HALF, *TYPES.split(";\n")]:
        if statement.strip():
            run(statement)
    tables = {**TABLES, **({"ops": OPS} if with_ops else {})}
    for name, query in tables.items():
        columns = connection.execute("DESCRIBE " + query, {n: v for n, v in values.items() if "$" + n in query}).fetchall()
        text = ", ".join("CAST({0} AS {1}) AS {0}".format(c[0], "VARCHAR" if c[1] == "VARCHAR" else "BIGINT") for c in columns)
        run("CREATE TEMP TABLE made AS SELECT {} FROM ({})".format(text, query))
        connection.execute(
            "COPY (SELECT * FROM made) TO '{}' (FORMAT parquet, PARTITION_BY (run), ROW_GROUP_SIZE 122880, FILENAME_PATTERN 'part-000{{i}}')".format(folder / name)
        )
        connection.execute("DROP TABLE made")
    connection.close()
    # Tables without a file here are without rows.
    options = {"path": None, "communication": [], "tables": [], "memory_mib": None}
    runs = [(run, [0], 1, 0, 1, 1) for run in RUNS]
    (folder / "manifest.json").write_text(_core.fleet_manifest(str(folder), "traces", options, runs), encoding="utf-8")
