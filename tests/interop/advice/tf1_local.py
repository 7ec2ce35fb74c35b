"""Faults of one process with TensorFlow 1.15. Usage: python tf1_local.py FAULT FOLDER TURNS."""

import os
import sys
import time

import turns
from tf1 import config, product, steps_of, tf


def threads(is_sound):
    """Four chains that need nothing of each other, and one thread between ops; sound: two."""
    chains = []
    for chain in range(4):
        x = tf.random_uniform([128, 128])
        for at in range(12):
            x = product(x, 1024, "chain%d_%d" % (chain, at))
        chains.append(x)
    return tf.reduce_sum(tf.add_n(chains)), config(2 if is_sound else 1)


def input_waits(is_sound):
    """Each batch waits 6 ms for its file, and the net computes for some 10 ms; sound: `prefetch`."""

    def read(x):
        time.sleep(0.006)
        return x

    batches = tf.data.Dataset.from_tensors([[0.5] * 128] * 128).repeat()
    batches = batches.map(lambda x: tf.reshape(tf.py_func(read, [x], tf.float32), [128, 128]))
    if is_sound:
        batches = batches.prefetch(2)
    x = tf.data.make_one_shot_iterator(batches).get_next()
    for at in range(30):
        x = product(x, 1024, "layer%d" % at)
    return tf.reduce_sum(x), config(2)


def tiny(is_sound):
    """A chain of six hundred scalars after a small net; sound: XLA fuses it."""
    x = tf.random_uniform([128, 128])
    for at in range(12):
        x = product(x, 1024, "layer%d" % at)

    def scalars(y):
        for _ in range(300):
            y = y * 0.99 + 0.01
        return y

    y = tf.reduce_mean(x)
    return tf.xla.experimental.compile(scalars, [y])[0] if is_sound else scalars(y), config(2)


def dominant(is_sound):
    """Twenty layers, one of them with 24 times the work; sound: as much as the others."""
    x = tf.random_uniform([128, 128])
    for at in range(20):
        x = product(x, 24576 if at == 10 and not is_sound else 1024, "layer%d" % at)
    return tf.reduce_sum(x), config(1)


FAULTS = {"threads": threads, "input": input_waits, "tiny": tiny, "dominant": dominant}


def main(fault, folder, count):
    turns.undisturbed()
    programs = {}
    for name in ("fault", "sound"):
        with tf.Graph().as_default():
            fetch, own = FAULTS[fault](name == "sound")
            session = tf.Session(config=own)
            session.run(tf.global_variables_initializer())
            programs[name] = steps_of(session, fetch)
    kept = turns.take_turns(programs, int(count))
    turns.disturbed()
    turns.keep(kept, folder, ".pb")
    sys.stdout.flush()
    os._exit(0)  # threads of TensorFlow that still wait at the end keep nothing


main(*sys.argv[1:])
