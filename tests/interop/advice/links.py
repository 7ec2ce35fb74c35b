"""Links of a known rate between local processes, and ports for them."""

import socket
import threading
import time


def port():
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return own.getsockname()[1]


def wait_for(port):
    """Until a process listens there."""
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError("no process listens at port %d" % port)


def carry(source, target, rate):
    """Carries bytes at this rate, in order; a link that was idle does not catch up."""
    due = 0.0
    while True:
        block = source.recv(16384)
        if not block:
            break
        now = time.perf_counter()
        due = max(due, now - 0.0003) + len(block) / rate
        if due > now:
            time.sleep(due - now)
        target.sendall(block)
    target.shutdown(socket.SHUT_WR)


def link(to, rate):
    """A port that leads to the port `to`, with so many bytes a second each way."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(16)

    def accept():
        while True:
            near, _ = listening.accept()
            far = socket.create_connection(("127.0.0.1", to))
            for own in (near, far):
                own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for ends in ((near, far), (far, near)):
                threading.Thread(target=carry, args=ends + (rate,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listening.getsockname()[1]
