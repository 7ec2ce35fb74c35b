"""A program `steplens` that serves nothing and reports everything, for tests."""

import os
import sys
import time

arguments = sys.argv[1:]
if arguments[0] == "serve":
    if "9" == arguments[arguments.index("--port") + 1]:
        print("port 9 is taken")
        sys.exit(2)
    with open(os.path.join(os.path.dirname(os.environ["STEPLENS_PROGRAM"]), "pid"), "w") as file:
        file.write(str(os.getpid()))
    print(f"Serving {arguments[1]}")
    print("http://{}:{}/?token=abc".format(arguments[arguments.index("--address") + 1], arguments[arguments.index("--port") + 1]), flush=True)
    time.sleep(600)
elif arguments[0] == "report":
    with open(arguments[1], "rb") as trace, open(arguments[arguments.index("--output") + 1], "wb") as page:
        page.write(b"<html>" + repr(arguments[4:]).encode() + trace.read())
else:
    print("no such command", file=sys.stderr)
    sys.exit(2)
