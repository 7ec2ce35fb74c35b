"""Datasets of many traces by Spark: indexing on its executors, and questions.

    python -m steplens.fleet.spark /shared/traces --output /shared/fleet

Each executor needs this package, and reads the files at the same paths as the driver. What it writes is what `steplens index` writes.
"""

import argparse
import json
import os
import re
import sys
import uuid
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple
from urllib.parse import quote, unquote

from steplens import _core
from steplens.errors import SteplensError
from steplens.fleet import asked, question
from steplens.options import Texts, texts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

__all__ = ["ask", "index", "views"]

File = Tuple[str, int, int]
"""A file's path below the folder, its size in bytes, and when it was changed last, in ns from 1970."""

_READ = "`table` string, run string, file string, content binary"
"""What reading gives: rows of a table, as a stream of Arrow."""
_MOST_ROWS = 100_000
"""So many rows of a table are handed on at once."""
_MOST_CONTENTS = 8
"""So many of these are held by a process of Python at once."""


def views(spark: "SparkSession", dataset: str) -> None:
    """Makes a temporary view for each table of a dataset. A table without a file has a view without rows.

    `dataset` is a path or an address that this Spark reads, such as `s3a://bucket/fleet`.
    """
    from pyspark.errors import AnalysisException

    manifest = json.loads(spark.read.text(_literal(dataset) + "/manifest.json", wholetext=True).collect()[0][0])
    for table, columns in manifest["columns"].items():
        schema = _schema(columns)
        try:
            rows = spark.read.schema(schema).parquet("{}/{}".format(_literal(dataset), table))
        except AnalysisException as why:
            if why.getCondition() != "PATH_NOT_FOUND":
                raise
            rows = spark.createDataFrame([], schema)
        rows.createOrReplaceTempView(table)


def ask(spark: "SparkSession", dataset: str, name: str, **chosen: Any) -> "DataFrame":
    """What the question `name` is answered. `chosen` is what `steplens.fleet.asked` takes: `day_a`, `day_b`, `at`, `run`, `share`.

    Raises:
        SteplensError: there is no such question, or what is chosen cannot be used (`bad-option`).
    """
    statement = question(name).sql
    chosen_view = asked(**chosen)
    views(spark, dataset)
    spark.sql(chosen_view)
    return spark.sql(statement)


def index(
    spark: "SparkSession",
    folder: str,
    dataset: str,
    *,
    files: Optional[Sequence[str]] = None,
    path: Optional[str] = None,
    communication: Texts = (),
    tables: Texts = (),
    memory_mib: Optional[int] = None,
    parts: int = 1,
) -> None:
    """Reads every trace below `folder` on the executors, and writes a new dataset with the rows that `steplens index` writes.

    Args:
        folder: a path that the driver and every executor read.
        dataset: a folder that is not there yet, or an address that this Spark writes, such as `s3a://bucket/fleet`.
        files: only these, as paths below `folder` with `/` between names; all if it is not given.
        path: how the path of a file says its run, task and step, such as `"{run}/{task}/step-{step}.pb"`.
        communication: regular expressions; ops whose type or name matches count as communication, too.
        tables: only these tables, and the one of the files; all if none is given.
        memory_mib: how much memory the ops of one file may take, in MiB.
        parts: of how many files each table of a run is made; one task writes one. A file of traces is whole in one of them.

    Raises:
        SteplensError: an option cannot be used, `folder` cannot be listed, or `dataset` is there already (`not-a-dataset`).

    A file that cannot be read is a row of the table `sources`, and fails no job.
    """
    from pyspark import StorageLevel

    if parts < 1:
        raise SteplensError("bad-option", "A table needs at least one part, not {}.".format(parts))
    options = {
        "path": path,
        "communication": texts(communication),
        "tables": texts(tables),
        "memory_mib": memory_mib,
    }
    # Options that cannot be used fail here, and not on an executor.
    columns = json.loads(_core.fleet_manifest(dataset, folder, options, []))["columns"]
    target = _Place(spark, dataset)
    if target.has_something():
        raise SteplensError("not-a-dataset", "{} is there already. Spark makes a new dataset: give another folder.".format(dataset))
    found = _listed(folder, files)
    cores = max(spark.sparkContext.defaultParallelism, 1)
    # As many pieces as keep every core at work when files differ in size.
    paths = spark.createDataFrame(found, "file string, bytes bigint, modified_unix_ns bigint")
    paths = paths.repartition(min(max(len(found), 1), 8 * cores))
    batch = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = spark.conf.get(batch)
    spark.conf.set(batch, str(_MOST_CONTENTS))
    read = paths.mapInArrow(_Reader(folder, options), _READ).persist(StorageLevel.DISK_ONLY)
    unfinished = "_unfinished-" + uuid.uuid4().hex
    try:
        # The table of the files comes last: a part without it is not there.
        for table in sorted(columns, key=lambda table: table == "sources"):
            schema = _schema(columns[table])
            rows = read.where(read["table"] == table).select("run", "content").mapInArrow(_rows, schema)
            order = [name for name in ("run", "task", "step", "start_unix_ns", "start_ns", "file") if name in schema.names]
            for part in range(parts):
                own = rows
                if parts > 1:
                    own = rows.where("pmod(hash(file), {}) = {}".format(parts, part))
                own = own.repartition(cores, "run").sortWithinPartitions(*order)
                made = "{}/{}-{}".format(unfinished, table, part)
                own.write.partitionBy("run").option("compression", "snappy").parquet("{}/{}".format(dataset, made))
                target.publish(made, table, part + 1)
        runs = _runs(spark, dataset, _schema(columns["sources"]), parts)
        target.write("manifest.json", _core.fleet_manifest(dataset, folder, options, runs))
    finally:
        read.unpersist()
        spark.conf.set(batch, before or "10000")
        target.remove(unfinished)


def _schema(columns: List[Dict[str, Any]]) -> "StructType":
    """The types of a table's columns, as the manifest describes them, with `run` in front."""
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    kinds = {"INT64": LongType(), "UTF8": StringType()}
    own = [StructField(column["name"], kinds[column["kind"]]) for column in columns]
    return StructType([StructField("run", StringType()), *own])


def _literal(path: str) -> str:
    """A path in which nothing stands for other names."""
    return re.sub(r"([\\*?\[\]{}])", r"\\\1", path)


def _listed(folder: str, files: Optional[Sequence[str]]) -> List[File]:
    if files is None:
        return _core.fleet_files(folder)
    listed = []
    for file in files:
        try:
            said = os.stat(os.path.join(folder, *file.split("/")))
            listed.append((file, said.st_size, said.st_mtime_ns))
        except OSError:
            # Reading it says what is wrong, as a row of the sources.
            listed.append((file, 0, 0))
    return listed


def _arrow() -> Any:
    """The package, which has no types."""
    import pyarrow  # type: ignore[import-untyped]

    return pyarrow


class _Reader:
    """What an executor does with paths: reads each file, and gives its tables as streams of Arrow."""

    def __init__(self, folder: str, options: Dict[str, Any]) -> None:
        self.folder, self.options = folder, options

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        arrow = _arrow()
        for batch in batches:
            for row in batch.to_pylist():
                file = (row["file"], row["bytes"], row["modified_unix_ns"])
                run, tables = _core.fleet_tables(self.folder, file, self.options)
                for name, table in tables:
                    whole = arrow.table(table)
                    for start in range(0, whole.num_rows, _MOST_ROWS):
                        sink = arrow.BufferOutputStream()
                        with arrow.ipc.new_stream(sink, whole.schema) as stream:
                            stream.write_table(whole.slice(start, _MOST_ROWS))
                        content = sink.getvalue().to_pybytes()
                        yield arrow.RecordBatch.from_pydict(
                            {"table": [name], "run": [run], "file": [row["file"]], "content": arrow.array([content], arrow.binary())}
                        )


def _rows(batches: Iterator[Any]) -> Iterator[Any]:
    """The rows within streams of Arrow, with their run."""
    arrow = _arrow()
    for batch in batches:
        for run, content in zip(batch.column(0).to_pylist(), batch.column(1)):
            with arrow.ipc.open_stream(content.as_buffer()) as stream:
                for rows in stream:
                    runs = arrow.array([run]).take(arrow.array([0] * rows.num_rows, arrow.int32()))
                    yield arrow.RecordBatch.from_arrays([runs, *rows.columns], names=["run", *rows.schema.names])


def _runs(spark: "SparkSession", dataset: str, schema: "StructType", parts: int) -> List[Tuple[str, List[int], int, int, int, int]]:
    """What the manifest says of each run."""
    from pyspark.sql import functions

    sources = spark.read.schema(schema).parquet(_literal(dataset) + "/sources")
    faulty = functions.when(sources["state"].isin("damaged", "unreadable"), 1).otherwise(0)
    part = functions.pmod(functions.hash(sources["file"]), functions.lit(parts)) + 1
    sums = sources.groupBy("run").agg(
        functions.sort_array(functions.collect_set(part)).alias("parts"),
        functions.count("*").alias("files"),
        functions.sum(faulty).alias("faulty"),
        functions.sum("ops").alias("ops"),
        functions.sum("bytes").alias("bytes"),
    )
    return [(own["run"], own["parts"], own["files"], own["faulty"], own["ops"], own["bytes"]) for own in sums.orderBy("run").collect()]


class _Place:
    """The folder of a dataset, by the file systems that this Spark has."""

    def __init__(self, spark: "SparkSession", dataset: str) -> None:
        java: Any = spark.sparkContext._jvm
        context: Any = spark.sparkContext._jsc
        self._path = java.org.apache.hadoop.fs.Path
        self._dataset = dataset
        self._files = self._path(dataset).getFileSystem(context.hadoopConfiguration())

    def _at(self, *names: str) -> Any:
        place = self._path(self._dataset)
        for name in names:
            place = self._path(place, name)
        return place

    def has_something(self) -> bool:
        at = self._at()
        return bool(self._files.exists(at)) and len(self._files.listStatus(at)) > 0

    def publish(self, made: str, table: str, part: int) -> None:
        """Puts the files that Spark wrote in place, called as `steplens index` calls them."""
        if not self._files.exists(self._at(made)):
            return
        for entry in self._files.listStatus(self._at(made)):
            name = entry.getPath().getName()
            if not name.startswith("run="):
                continue
            written = [own.getPath() for own in self._files.listStatus(entry.getPath())]
            written = [own for own in written if own.getName().endswith(".parquet")]
            if len(written) != 1:
                raise SteplensError("file-not-written", "{} of {} came as {} files, and not as one.".format(name, table, len(written)))
            folder = self._at(table, "run=" + _folder(unquote(name[len("run=") :])))
            self._files.mkdirs(folder)
            target = self._path(folder, "part-{:04}.parquet".format(part))
            if not self._files.rename(written[0], target):
                raise SteplensError("file-not-written", "{} could not be put in place.".format(target))

    def write(self, name: str, text: str) -> None:
        out = self._files.create(self._at(name), True)
        try:
            out.write(bytearray(text.encode("utf-8")))
        finally:
            out.close()

    def remove(self, name: str) -> None:
        self._files.delete(self._at(name), True)


def _folder(run: str) -> str:
    """A run as the name of a folder: all but letters, digits, `.`, `_` and `-` is %XX."""
    return quote(run, safe="").replace("~", "%7E")


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """Indexes a folder by the Spark of the environment, as `spark-submit` sets it up."""
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser(prog="python -m steplens.fleet.spark", description="Index traces on the executors of Spark.")
    parser.add_argument("folder", help="the folder with the traces, which every executor reads")
    parser.add_argument("-o", "--output", required=True, help="the folder of the new dataset")
    parser.add_argument("--path", help="how paths say run, task and step, such as '{run}/{task}/step-{step}.pb'")
    parser.add_argument("--communication", action="append", default=[], help="a regular expression: what also counts as communication")
    parser.add_argument("--tables", action="append", default=[], help="write only this table; may be given several times")
    parser.add_argument("--memory", type=int, help="how much memory the ops of one file may take, in MiB")
    parser.add_argument("--parts", type=int, default=1, help="of how many files each table of a run is made")
    chosen = parser.parse_args(arguments)
    spark = SparkSession.builder.appName("steplens index").getOrCreate()
    try:
        index(
            spark,
            chosen.folder,
            chosen.output,
            path=chosen.path,
            communication=chosen.communication,
            tables=chosen.tables,
            memory_mib=chosen.memory,
            parts=chosen.parts,
        )
    except SteplensError as why:
        sys.exit("steplens: {}".format(why))
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
