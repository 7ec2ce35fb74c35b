"""Runs statements with the package duckdb, and writes the rows of the last one as lines of JSON."""
import json, sys
try:
    import duckdb
except ImportError:
    sys.exit(77)
def plain(value):
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value
statements = json.loads(sys.stdin.buffer.read().decode("utf-8"))
connection = duckdb.connect()
try:
    for statement in statements:
        connection.execute(statement)
    out = sys.stdout.buffer
    out.write(json.dumps({"columns": [own[0] for own in connection.description or ()]}).encode() + b"\n")
    while True:
        rows = connection.fetchmany(10000)
        if not rows:
            break
        for row in rows:
            out.write(json.dumps([plain(value) for value in row], default=str).encode() + b"\n")
    out.flush()
except duckdb.Error as why:
    sys.exit(str(why))
except BrokenPipeError:
    sys.exit(1)
