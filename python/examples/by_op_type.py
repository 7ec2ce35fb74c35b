"""Which op types take the time, and on which devices: `python by_op_type.py trace.pb`."""

import sys

import polars

import steplens


def main() -> None:
    """Prints the sums of the file that the command line names."""
    trace = steplens.read(sys.argv[1])
    for problem in trace.problems:
        print(f"{problem.file}: {problem.count} x {problem.code}: {problem.detail}", file=sys.stderr)
    ops = polars.DataFrame(trace.ops(["device", "op_type", "self_ns"]))
    sums = ops.group_by("device", "op_type").agg(polars.col("self_ns").sum())
    print(sums.sort("self_ns", descending=True).head(10))


if __name__ == "__main__":
    main()
