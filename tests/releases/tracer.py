"""Records steps through tensorflow-tracer, and what it says of them.

    python tracer.py FOLDER [FILE.pb...]

Wants TensorFlow 1.15.5 on Python 3.7 with tensorflow-tracer==1.1.0, bokeh==1.0.4 and jinja2<3.1. Writes FOLDER/tracer-1.15.5.pickle, a session of a
training with runs of two kinds; the same packed, as its page saves it; FOLDER/tracer-1.15.5.json with its own figures, in microseconds, of each
traced run and of each FILE: over all devices, and over those of the executor (`/job:`); and FILE as it pickles it."""

import gzip
import json
import os
import sys

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
os.environ['CUDA_VISIBLE_DEVICES'] = ''
import tensorflow as tf
from tftracer import Timeline, TracingServer

import record

FIGURES = ('step_time', 'communication_elapsed_time', 'communication_time', 'computation_time')


def figures(metadata):
    timeline = Timeline(run_metadata=metadata)
    return {figure: {pattern or 'all': getattr(timeline, figure)(pattern) for pattern in (None, '/job:')} for figure in FIGURES}


def train(server):
    loss = record.loss_of(record.small_net(record.images()))
    step = tf.train.AdamOptimizer(1e-3).minimize(loss, tf.train.get_or_create_global_step())
    with tf.train.MonitoredTrainingSession(hooks=[server.hook]) as session:
        for number in range(6):
            if number == 3:
                server._source.enable_global_tracing()
            session.run(step)
        session.run(loss)


def main(out, paths):
    server = TracingServer(start_web_server_on_start=False)
    train(server)
    session = os.path.join(out, 'tracer-1.15.5.pickle')
    server.save_session(session)
    with open(session, 'rb') as saved, gzip.open(session + '.gz', 'wb') as packed:
        packed.write(saved.read())
    found = {'session': [figures(trace) for traces in server._source._traces.values() for trace in traces or [] if trace is not None]}
    for path in paths:
        metadata = tf.RunMetadata()
        with open(path, 'rb') as file:
            metadata.ParseFromString(file.read())
        name = os.path.basename(path)
        Timeline(run_metadata=metadata).to_pickle(os.path.join(out, name.replace('.pb', '.tracer.pickle')))
        found[name] = figures(metadata)
    with open(os.path.join(out, 'tracer-1.15.5.json'), 'w') as file:
        json.dump(found, file, indent=1, sort_keys=True)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
