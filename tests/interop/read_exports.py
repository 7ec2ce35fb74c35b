"""Exports, read by the tools that they are for: DuckDB, pandas and Spark for Parquet, Perfetto's own schema for its format.

Every figure is compared with what `steplens summary --json` says. Started with the program and the folder of the repository: by `cargo xtask interop` for
everything, by `cargo xtask test` with `pandas` for that alone, because the other packages are large. So each reader imports its own.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

program, root = Path(sys.argv[1]), Path(sys.argv[2])
only_pandas = sys.argv[3:] == ["pandas"]
fixtures = root / "tests" / "fixtures"
traces = [
    "ps4w.pb",
    "ps2w6.pb.gz",
    "multidev.pb",
    "multidev-nograph.pb",
    "collective.pb",
    "lstm-while.pb",
    "mnist-adam.pb",
    "gpu/kernels.pb",
]
tables = ["ops", "transfers", "edges", "links", "allocations", "steps"]


def run(*arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def same(what, got, want):
    if got != want:
        raise SystemExit(f"{what}: got {got}, want {want}")


def by_device(rows):
    return {device: value for device, value in rows if value}


def wanted_of(summary):
    """What every reader has to find."""
    devices = summary["devices"]
    return {
        "ops": summary["ops"],
        "transfers": summary["transfers"],
        "bytes": summary["transferred_bytes"],
        "span_ns": summary["span_ns"],
        "ops of devices": by_device((device["name"], device["ops"]) for device in devices),
        "received": by_device((device["name"], device["received_bytes"]) for device in devices),
    }


def by_duckdb(folder):
    import duckdb

    def ask(query):
        return duckdb.sql(query).fetchall()

    for table in tables:
        columns = ask(f"DESCRIBE SELECT * FROM '{folder}/{table}.parquet'")
        same(f"types of {table} in DuckDB", {column[1] for column in columns} - {"BIGINT", "VARCHAR"}, set())
    ops, transfers = f"'{folder}/ops.parquet'", f"'{folder}/transfers.parquet'"
    span = f"SELECT max(end_ns) - min(start_ns) FROM {ops} WHERE category <> 'range'"
    totals = f"SELECT count(*), coalesce(sum(bytes), 0) FROM {transfers}"
    return {
        "ops": ask(f"SELECT count(*) FROM {ops}")[0][0],
        "transfers": ask(totals)[0][0],
        "bytes": int(ask(totals)[0][1]),
        "span_ns": ask(span)[0][0],
        "ops of devices": by_device(ask(f"SELECT device, count(*) FROM {ops} GROUP BY device")),
        "received": by_device(ask(f"SELECT destination, sum(bytes)::BIGINT FROM {transfers} GROUP BY destination")),
    }


def by_pandas(folder):
    import pandas

    # The types of Arrow keep numbers whole where some are not known.
    ops = pandas.read_parquet(folder / "ops.parquet", dtype_backend="pyarrow")
    transfers = pandas.read_parquet(folder / "transfers.parquet", dtype_backend="pyarrow")
    same("types in pandas", {str(kind) for kind in ops.dtypes} - {"int64[pyarrow]", "string[pyarrow]"}, set())
    work = ops[ops["category"] != "range"]
    return {
        "ops": len(ops),
        "transfers": len(transfers),
        "bytes": int(transfers["bytes"].sum()),
        "span_ns": int(work["end_ns"].max() - work["start_ns"].min()),
        "ops of devices": by_device((name, len(group)) for name, group in ops.groupby("device")),
        "received": by_device((name, int(group["bytes"].sum())) for name, group in transfers.groupby("destination")),
    }


def by_spark(spark, folder):
    from pyspark.sql import functions as f

    for table in tables:
        types = {kind for _, kind in spark.read.parquet(f"{folder}/{table}.parquet").dtypes}
        same(f"types of {table} in Spark", types - {"bigint", "string"}, set())
    ops, transfers = (spark.read.parquet(f"{folder}/{name}.parquet") for name in ("ops", "transfers"))
    work = ops.where(ops.category != "range").agg(f.max("end_ns"), f.min("start_ns")).first()
    received = transfers.groupBy("destination").agg(f.sum("bytes")).collect()
    return {
        "ops": ops.count(),
        "transfers": transfers.count(),
        "bytes": transfers.agg(f.sum("bytes")).first()[0] or 0,
        "span_ns": work[0] - work[1],
        "ops of devices": by_device(ops.groupBy("device").count().collect()),
        "received": by_device(received),
    }


def check_metadata(folder):
    import pyarrow.parquet

    for table in tables:
        metadata = pyarrow.parquet.read_metadata(folder / f"{table}.parquet").metadata
        same("schema", metadata[b"steplens.schema"], b"steplens.tables/2")
        same("table", metadata[b"steplens.table"].decode(), table)
        units = json.loads(metadata[b"steplens.units"])
        same("units", set(units.values()) - {"ns", "bytes", "bytes/s"}, set())


def check_queries(folder):
    """The queries of docs/export.md, in the folder of an export, as a reader would run them."""
    import duckdb

    queries = re.findall(r"```sql\n(.*?)```", (root / "docs" / "export.md").read_text(), re.DOTALL)
    same("queries in docs/export.md", len(queries), 3)
    os.chdir(folder)
    for query in queries:
        if not duckdb.sql(query).fetchall():
            raise SystemExit(f"no row: {query}")


def check_perfetto(file, ops):
    """By Perfetto's own schema: as many slices as ops, each with an end."""
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackDescriptor, TrackEvent

    trace = Trace()
    trace.ParseFromString(file.read_bytes())
    events = [packet.track_event for packet in trace.packet if packet.HasField("track_event")]
    for kind in (TrackEvent.TYPE_SLICE_BEGIN, TrackEvent.TYPE_SLICE_END):
        same("slices in Perfetto's schema", sum(event.type == kind for event in events), ops)
    tracks = {packet.track_descriptor.uuid for packet in trace.packet if packet.HasField("track_descriptor")}
    same("tracks that nothing describes", {event.track_uuid for event in events} - tracks, set())
    behaviors = {packet.track_descriptor.sibling_merge_behavior for packet in trace.packet}
    if TrackDescriptor.SIBLING_MERGE_BEHAVIOR_NONE not in behaviors:
        raise SystemExit("no lane is kept apart")


def spark_session():
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").appName("steplens").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def main():
    readers = {"pandas": by_pandas}
    if not only_pandas:
        spark = spark_session()
        readers |= {"DuckDB": by_duckdb, "Spark": lambda folder: by_spark(spark, folder)}
    with tempfile.TemporaryDirectory() as scratch:
        for trace in traces:
            folder = Path(scratch) / trace.replace("/", "-")
            run("export", fixtures / trace, "--format", "parquet", "-o", folder)
            summary = json.loads(run("summary", fixtures / trace, "--json"))
            want = wanted_of(summary)
            for reader, read in readers.items():
                for figure, value in read(folder).items():
                    same(f"{trace}: {figure} in {reader}", value, want[figure])
            check_metadata(folder)
            print(f"{trace}: {want['ops']} ops, {want['transfers']} transfers in {', '.join(readers)}")
            if not only_pandas:
                run("export", fixtures / trace, "--format", "perfetto", "-o", folder / "trace")
                check_perfetto(folder / "trace", summary["ops"])
                print(f"{trace}: {want['ops']} slices by Perfetto's schema")
        if not only_pandas:
            check_queries(Path(scratch) / "ps4w.pb")
            print("the queries of docs/export.md find something")


main()
