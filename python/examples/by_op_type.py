"""Which op types take the time, and on which devices: `python by_op_type.py trace.pb`."""

import sys

import pyarrow

import steplens


def main() -> None:
    """Prints the sums of the file that the command line names."""
    trace = steplens.read(sys.argv[1])
    for problem in trace.problems:
        print(f"{problem.file}: {problem.count} x {problem.code}: {problem.detail}", file=sys.stderr)
    ops = pyarrow.table(trace.ops(["device", "op_type", "self_ns"])).to_pandas()
    sums = ops.groupby(["device", "op_type"]).self_ns.sum().sort_values(ascending=False)
    print(sums.head(10).to_string())


if __name__ == "__main__":
    main()
