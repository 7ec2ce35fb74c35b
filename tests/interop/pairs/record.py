"""Records steps that differ in one thing, many of each, to compare what a replay of one predicts with what another one took.

    python record.py KIND OUT_FOLDER [STEPS]

KIND is `executor` (chains and forks with one and two threads between ops, one op of several lengths), `cluster` (a parameter server and two
workers in one process), `pipeline` (tf.data before a small net), `loop` (a while loop), all with TensorFlow 1.15 or 2, or `torch` (operators
of PyTorch on the CPU). Writes the recording of the median step of each as NAME.pb or NAME.json, and truth.json: NAME, its median length, the
quartiles, the median length of the op that differs, and its length in the kept step; microseconds. As root on Linux it asks for a
real-time priority, so that other work on the machine disturbs it less; use two cores that have nothing else to do all the same.
"""

import json
import os
import statistics
import sys
import time

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
os.environ['CUDA_VISIBLE_DEVICES'] = ''
os.environ['TF_ENABLE_ONEDNN_OPTS'] = '0'
KIND, OUT = sys.argv[1], sys.argv[2]
STEPS = int(sys.argv[3]) if len(sys.argv) > 3 else 35
TRUTH = {}


def undisturbed():
    """A real-time priority for this thread and those that it will start; without the right to it, as before."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except (AttributeError, PermissionError):
        print('no real-time priority', file=sys.stderr)


def disturbed():
    try:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except (AttributeError, PermissionError):
        pass


def keep(name, steps, suffix):
    """`steps` has (length, length of the op that differs, bytes of the recording)."""
    steps.sort(key=lambda step: step[0])
    lengths = [step[0] for step in steps]
    middle = steps[len(steps) // 2]
    TRUTH[name] = {
        'span_us': statistics.median(lengths),
        'quartiles_us': [lengths[len(lengths) // 4], lengths[3 * len(lengths) // 4]],
        'heavy_us': statistics.median(step[1] for step in steps),
        'kept_heavy_us': middle[1],
    }
    with open(os.path.join(OUT, name + suffix), 'wb') as out:
        out.write(middle[2])
    print(name, TRUTH[name], len(middle[2]), flush=True)


def length_of(stats, wanted):
    start, end, heavy = [], [], 0.0
    for device in stats.dev_stats:
        for node in device.node_stats:
            first = node.all_start_nanos or node.all_start_micros * 1000
            took = node.all_end_rel_nanos or node.all_end_rel_micros * 1000
            start.append(first)
            end.append(first + took)
            if node.node_name.endswith(wanted):
                heavy += took / 1e3
    return (max(end) - min(start)) / 1e3, heavy


PROGRAMS = []
SERVERS = []


def record(tf, session, fetch, name, wanted='heavy', warm=110):
    """An op counts as cheap once its cost has fallen from a high first guess, which takes about a hundred runs."""
    for _ in range(warm):
        session.run(fetch)
    PROGRAMS.append((session, fetch, name, wanted))


def rounds(tf):
    """One step of each program after the other: a machine gets slower and faster by a tenth in minutes, and all of them with it."""
    full = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    steps = {name: [] for _, _, name, _ in PROGRAMS}
    for _ in range(STEPS):
        for session, fetch, name, wanted in PROGRAMS:
            session.run(fetch)
            metadata = tf.RunMetadata()
            session.run(fetch, options=full, run_metadata=metadata)
            length, heavy = length_of(metadata.step_stats, wanted)
            steps[name].append((length, heavy, metadata.SerializeToString()))
    for name, own in steps.items():
        keep(name, own, '.pb')


def config(tf, threads, is_session=True):
    from tensorflow.core.protobuf import rewriter_config_pb2 as rewriter
    off = rewriter.RewriterConfig(disable_meta_optimizer=True)
    return tf.ConfigProto(
        inter_op_parallelism_threads=threads,
        intra_op_parallelism_threads=1,
        use_per_session_threads=is_session,  # a server refuses it
        graph_options=tf.GraphOptions(rewrite_options=off, optimizer_options=tf.OptimizerOptions(opt_level=-1)),
    )


def product(tf, x, inner, name):
    """A product with `inner` for its inner size: its length, and neither its inputs' nor its output's, follows it."""
    left = tf.get_variable(name.replace('/', '_') + '_l', [128, inner])
    right = tf.get_variable(name.replace('/', '_') + '_r', [inner, 128])
    with tf.control_dependencies([x]):
        own = tf.matmul(left, right, name=name)
    return tf.tanh(x + own)


def executor(tf):
    for inner in (1024, 4096, 16384, 32768):
        for shape, threads in (('chain', 1), ('chain', 2), ('fork', 1), ('fork', 2), ('diamond', 1), ('diamond', 2)):
            with tf.Graph().as_default():
                x = tf.random_uniform([128, 128])
                if shape == 'chain':
                    for at in range(10):
                        x = product(tf, x, inner if at == 5 else 4096, 'm/heavy' if at == 5 else 'm/p%d' % at)
                elif shape == 'fork':
                    ends = []
                    for branch in range(6):
                        y = x
                        for at in range(2):
                            is_heavy = (branch, at) == (2, 0)
                            y = product(tf, y, inner if is_heavy else 4096, 'm/heavy' if is_heavy else 'm/p%d_%d' % (branch, at))
                        ends.append(y)
                    x = tf.add_n(ends)
                else:
                    for level in range(3):
                        left = product(tf, x, inner if level == 1 else 4096, 'm/heavy' if level == 1 else 'm/l%d' % level)
                        right = product(tf, product(tf, x, 2048, 'm/a%d' % level), 2048, 'm/b%d' % level)
                        x = left + right
                fetch = tf.reduce_sum(x)
                session = tf.Session(config=config(tf, threads))
                session.run(tf.global_variables_initializer())
                record(tf, session, fetch.op, '%s%d-%d' % (shape, threads, inner))


def cluster(tf):
    import socket
    def port():
        with socket.socket() as own:
            own.bind(('127.0.0.1', 0))
            return own.getsockname()[1]
    for rows in (256, 1024):
        for inner in (1024, 8192):
            with tf.Graph().as_default():
                tasks = {'ps': ['127.0.0.1:%d' % port()], 'worker': ['127.0.0.1:%d' % port() for _ in range(2)]}
                spec = tf.train.ClusterSpec(tasks)
                own = config(tf, 2, is_session=False)
                servers = [tf.train.Server(spec, job_name=job, task_index=task, config=own) for job in tasks for task in range(len(tasks[job]))]
                SERVERS.extend(servers)
                sums = []
                for worker in range(2):
                    with tf.device('/job:ps/task:0'):
                        weights = tf.get_variable('w%d' % worker, [rows, 1024])
                    with tf.device('/job:worker/task:%d' % worker), tf.variable_scope('worker%d' % worker):
                        x = tf.tanh(tf.matmul(weights, tf.get_variable('r', [1024, 128])))
                        x = product(tf, x[:128], inner, 'm/heavy')
                        sums.append(tf.reduce_sum(x))
                with tf.device('/job:ps/task:0'):
                    fetch = tf.add_n(sums)
                session = tf.Session(servers[1].target)
                session.run(tf.global_variables_initializer())
                record(tf, session, fetch.op, 'cluster-rows%d-%d' % (rows, inner))


def pipeline(tf):
    for batch in (32, 128):
        for inner in (1024, 8192):
            with tf.Graph().as_default():
                data = tf.data.Dataset.from_tensors(0.0).repeat().map(lambda own: tf.reduce_sum(tf.linalg.matmul(tf.ones([batch * 8, 256]) + own, tf.ones([256, 256]))))
                item = tf.data.make_one_shot_iterator(data).get_next()
                x = product(tf, tf.fill([128, 128], item), inner, 'm/heavy')
                session = tf.Session(config=config(tf, 2))
                session.run(tf.global_variables_initializer())
                record(tf, session, tf.reduce_sum(x).op, 'pipeline-batch%d-%d' % (batch, inner))


def loop(tf):
    for inner in (1024, 4096, 16384):
        with tf.Graph().as_default():
            left, right = tf.get_variable('l', [128, inner]), tf.get_variable('r', [inner, 128])
            def body(i, x):
                with tf.control_dependencies([x]):
                    return i + 1, tf.tanh(x + tf.matmul(left, right, name='heavy'))
            _, x = tf.while_loop(lambda i, x: i < 12, body, [tf.constant(0), tf.random_uniform([128, 128])])
            session = tf.Session(config=config(tf, 1))
            session.run(tf.global_variables_initializer())
            record(tf, session, tf.reduce_sum(x).op, 'loop-%d' % inner)


def torch_cpu():
    import tempfile
    import torch
    torch.set_num_threads(1)
    for inner in (1024, 4096, 16384):
        left, right, small = torch.rand(128, inner), torch.rand(inner, 128), torch.rand(128, 128)
        # The only op of its name: `what-if --op` changes all of a name.
        def step():
            x = small
            for _ in range(6):
                x = torch.tanh(x @ small)
            x = torch.addmm(x, left, right)
            return torch.sigmoid(x).sum()
        for _ in range(20):
            step()
        steps = []
        for _ in range(STEPS):
            with torch.autograd.profiler.profile() as profile:
                step()
            with tempfile.NamedTemporaryFile('r') as file:
                profile.export_chrome_trace(file.name)
                text = open(file.name).read()
            rows = [row for row in json.loads(text) if row.get('ph') == 'X']
            start, end = min(row['ts'] for row in rows), max(row['ts'] + row['dur'] for row in rows)
            heavy = max(row['dur'] for row in rows if row['name'] in ('aten::addmm', 'addmm'))
            steps.append((end - start, heavy, text.encode()))
        keep('torch-%d' % inner, steps, '.json')


os.makedirs(OUT, exist_ok=True)
if KIND == 'torch':
    import torch
    undisturbed()
    torch_cpu()
else:
    import tensorflow
    tf = tensorflow if tensorflow.__version__.startswith('1.') else tensorflow.compat.v1
    if not tensorflow.__version__.startswith('1.'):
        tf.disable_v2_behavior()
    undisturbed()
    {'executor': executor, 'cluster': cluster, 'pipeline': pipeline, 'loop': loop}[KIND](tf)
    rounds(tf)
disturbed()
with open(os.path.join(OUT, 'truth.json'), 'w') as out:
    json.dump(TRUTH, out, indent=1, sort_keys=True)
sys.stdout.flush()
os._exit(0)
