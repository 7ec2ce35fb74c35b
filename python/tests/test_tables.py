"""Tables equal the program's exports, and nobody copies them."""

import csv
import io
import tempfile
import unittest
from pathlib import Path

import c_stream
import steplens
from common import SAMPLE, SAMPLES, recordings, said

TABLES = ("ops", "transfers", "edges", "links", "allocations", "steps")


def cell(value):
    """A value as the sheets have it, in which nothing is a formula."""
    if value is None:
        return ""
    text = str(value)
    return "'" + text if isinstance(value, str) and text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


class Tables(unittest.TestCase):
    def test_every_table_of_every_recording_equals_the_exported_sheet(self):
        csv.field_size_limit(1 << 24)
        compared = 0
        for path in recordings():
            trace = steplens.read(path)
            with tempfile.TemporaryDirectory() as folder:
                said("export", path, "--format", "csv", "--output", folder)
                for name in TABLES:
                    with self.subTest(path=path.name, table=name):
                        columns = c_stream.read(getattr(trace, name)())
                        text = (Path(folder) / (name + ".csv")).read_bytes().decode()
                        rows = list(csv.reader(io.StringIO(text, newline="")))
                        self.assertEqual(list(columns), rows[0])
                        own = [[cell(value) for value in row] for row in zip(*(c.values for c in columns.values()))]
                        self.assertEqual(own, rows[1:])
                        for column in columns.values():
                            self.assertTrue(column.is_optional or column.nulls == 0)
                            self.assertTrue(column.is_optional or all(a[0] is None for a in column.addresses))
                        compared += len(own)
        self.assertGreater(compared, 50_000)

    def test_every_stream_of_a_table_has_the_same_buffers(self):
        table = steplens.read(SAMPLE).ops()
        first, second = c_stream.read(table), c_stream.read(table)
        for name, column in first.items():
            self.assertEqual(column.addresses, second[name].addresses, name)
            self.assertTrue(all(address for addresses in column.addresses for address in addresses[1:]), name)

    def test_streams_stay_valid_without_the_table_and_the_trace(self):
        capsule = steplens.read(SAMPLE).steps().__arrow_c_stream__()

        class Kept:
            def __arrow_c_stream__(self):
                return capsule

        self.assertEqual(c_stream.read(Kept())["step"].values, [1])

    def test_columns_are_chosen_by_name_and_stay_in_order(self):
        trace = steplens.read(SAMPLE)
        table = trace.ops(["self_ns", "op_type"])
        self.assertEqual(table.column_names, ["op_type", "self_ns"])
        whole = c_stream.read(trace.ops())
        for name, column in c_stream.read(table).items():
            self.assertEqual(column.values, whole[name].values)
        self.assertEqual((len(table), table.num_rows), (len(whole["op"].values),) * 2)
        with self.assertRaises(steplens.SteplensError) as raised:
            trace.ops(["lanes"])
        self.assertEqual(raised.exception.code, "bad-option")
        self.assertIn("lanes", str(raised.exception))


def imported(name):
    try:
        return __import__(name)
    except ImportError:
        return None


pyarrow = imported("pyarrow")
IS_NEW = pyarrow is not None and int(pyarrow.__version__.split(".")[0]) >= 14


@unittest.skipUnless(IS_NEW, "no pyarrow that knows the PyCapsule interface")
class Dataframes(unittest.TestCase):
    def test_pyarrow_has_the_tables_of_the_parquet_files(self):
        import pyarrow.parquet

        for path in recordings():
            trace = steplens.read(path)
            with tempfile.TemporaryDirectory() as folder:
                trace.export("parquet", folder)
                for name in TABLES:
                    with self.subTest(path=path.name, table=name):
                        file = pyarrow.parquet.read_table(Path(folder) / (name + ".parquet"))
                        own = pyarrow.table(getattr(trace, name)())
                        self.assertTrue(own.equals(file, check_metadata=True), own.schema)

    def test_pyarrow_copies_nothing(self):
        table = steplens.read(SAMPLE).ops()
        ours = c_stream.read(table)
        theirs = pyarrow.table(table)
        for name, column in ours.items():
            (chunk,) = theirs.column(name).chunks
            addresses = [None if buffer is None else buffer.address for buffer in chunk.buffers()]
            self.assertEqual(addresses, column.addresses[0], name)
        numbers = theirs.column("self_ns").chunk(0).to_numpy(zero_copy_only=True)
        self.assertEqual(numbers.__array_interface__["data"][0], ours["self_ns"].addresses[0][1])

    @unittest.skipUnless(imported("pandas"), "no pandas")
    def test_pandas_sums_by_op_type(self):
        frame = steplens.read(SAMPLE).ops().to_pandas()
        sums = frame.groupby("op_type").self_ns.sum().to_dict()
        wanted = {}
        for row in csv.DictReader(io.StringIO(said("ops", SAMPLE, "--csv").decode())):
            wanted[row["op_type"]] = wanted.get(row["op_type"], 0) + int(row["self_ns"])
        self.assertEqual(sums, wanted)
        if hasattr(__import__("pandas").DataFrame, "from_arrow"):
            self.assertEqual(str(frame.op_type.dtype), "str")

    @unittest.skipUnless(imported("polars"), "no polars")
    def test_polars_takes_them(self):
        import polars

        table = steplens.read(SAMPLE).transfers()
        self.assertEqual(polars.DataFrame(table).to_dict(as_series=False), pyarrow.table(table).to_pydict())

    @unittest.skipUnless(imported("duckdb"), "no duckdb")
    def test_duckdb_takes_them_by_their_name(self):
        import duckdb

        ops = steplens.read(SAMPLE).ops()
        (rows,) = duckdb.sql("select count(*), sum(self_ns) from ops").fetchall()
        self.assertEqual(rows, (len(ops), sum(c_stream.read(ops)["self_ns"].values)))


class Samples(unittest.TestCase):
    @unittest.skipUnless(SAMPLES.is_dir(), "no samples")
    def test_a_folder_of_samples_is_one_trace(self):
        folder = next(path for path in sorted(SAMPLES.iterdir()) if list(path.glob("*.pb")))
        self.assertEqual(steplens.read(folder).summary()["schema"], "steplens.summary/1")


if __name__ == "__main__":
    unittest.main()
