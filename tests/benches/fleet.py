"""How long each question takes DuckDB on 2 threads, over a dataset of 10 million ops that is made once.

    python tests/benches/fleet.py FOLDER      # with the packages steplens and duckdb
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "tests"))

import fleet_made  # noqa: E402
import steplens.fleet  # noqa: E402

TEN_MILLION = fleet_made.Size(workers=62, steps=157, ops=500, types=50)
"""64 tasks, 2 runs of 157 steps, 500 ops each."""


def main():
    folder = Path(sys.argv[1])
    if not (folder / "manifest.json").exists():
        fleet_made.make(folder, TEN_MILLION)
    connection = steplens.fleet.connect(folder)
    connection.execute("SET threads = 2")
    for table in ("ops", "op_types", "split"):
        print("{:18} {:>12,} rows".format(table, connection.sql("SELECT count(*) FROM " + table).fetchall()[0][0]))
    for question in steplens.fleet.questions():
        best = None
        for _ in range(3):
            begun = time.perf_counter()
            rows = len(connection.sql(question.sql).fetchall())
            took = time.perf_counter() - begun
            best = took if best is None else min(best, took)
        print("{:18} {:12.3f} s  {:,} rows".format(question.name, best, rows))


if __name__ == "__main__":
    main()
