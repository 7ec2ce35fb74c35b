"""Faults of PyTorch 1.8 on a CPU. Usage: python torch_cpu.py FAULT FOLDER TURNS."""

import json
import os
import sys
import tempfile

import torch
import turns


class Batches(torch.utils.data.Dataset):
    """Each batch computes for some 6 ms."""

    def __len__(self):
        return 1 << 20

    def __getitem__(self, at):
        x = torch.full((128, 128), 0.5)
        for _ in range(40):
            x = torch.tanh(x @ x)
        return x


LEFT, RIGHT = torch.rand(128, 1024) / 1024, torch.rand(1024, 128)


def net(x, layers):
    for _ in range(layers):
        x = torch.tanh(x + LEFT @ RIGHT)
    return x.sum()


def loader(is_sound):
    """A DataLoader that computes its batches in the step; sound: a worker does, two batches ahead."""
    ahead = {"num_workers": 1, "prefetch_factor": 2, "persistent_workers": True} if is_sound else {}
    batches = iter(torch.utils.data.DataLoader(Batches(), batch_size=None, worker_init_fn=lambda _: torch.set_num_threads(1), **ahead))
    return lambda: net(next(batches), 30)


def host(is_sound):
    """Python works for some 6 ms between the operators of a step; sound: it does so once, before the steps."""

    def normalize():
        return sum(at % 7 for at in range(100000)) / 1e6

    once = normalize()

    def step():
        x = torch.full((128, 128), 0.5)
        half = net(x, 12)
        scale = once if is_sound else normalize()
        return half + net(x * scale, 12)

    return step


def read(is_sound):
    """A step that reads the value of each of 100 small operators; sound: it reads one at the end."""
    values = torch.rand(100)

    def step():
        total = net(torch.full((128, 128), 0.5), 12)
        small = [torch.tanh(value) if is_sound else torch.tanh(value).item() for value in values]
        return (total + (torch.stack(small).sum() if is_sound else sum(small))).item()

    return step


FAULTS = {"loader": loader, "host": host, "read": read}


def recorded(step):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        step()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "step.json")
        profile.export_chrome_trace(path)
        with open(path, "rb") as file:
            text = file.read()
    rows = [row for row in json.loads(text)["traceEvents"] if row.get("ph") == "X"]
    return max(row["ts"] + row["dur"] for row in rows) - min(row["ts"] for row in rows), text


def main(fault, folder, count):
    torch.set_num_threads(1)
    turns.undisturbed()
    programs = {}
    for name in ("fault", "sound"):
        step = FAULTS[fault](name == "sound")
        for _ in range(20):
            step()
        programs[name] = step, lambda step=step: recorded(step)
    kept = turns.take_turns(programs, int(count))
    turns.disturbed()
    turns.keep(kept, folder, ".json")


main(*sys.argv[1:])
