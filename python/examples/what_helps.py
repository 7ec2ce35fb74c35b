"""What would make the step faster: `python what_helps.py trace.pb`."""

import sys
from typing import List

import steplens
from steplens.answers import FindingRow, Summary


def exposed_communication(summary: Summary) -> float:
    """The mean share of the step in which a device did nothing but wait for communication, from 0 to 1."""
    shares = [device["exposed_communication_ns"] / device["window_ns"] for device in summary["devices"] if device["window_ns"]]
    return sum(shares) / max(1, len(shares))


def main() -> None:
    """Prints it of the file that the command line names."""
    trace = steplens.read(sys.argv[1])
    print(f"exposed communication: {exposed_communication(trace.summary()):.1%}")
    rows: List[FindingRow] = trace.findings()["findings"]
    for row in rows:
        saving = "" if row["saving_ns"] is None else f" ({row['saving_ns'] / 1e6:.1f} ms)"
        print(f"{row['sentence']}{saving}")
    faster = trace.what_if(network=0.5)
    print(faster["sentence"])


if __name__ == "__main__":
    main()
