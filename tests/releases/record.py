"""Records steps with whatever TensorFlow is installed, 1.8 to 2.21.

    python record.py FOLDER [SCENARIO...]

Writes FOLDER/SCENARIO-VERSION.pb; without a scenario, `cluster` and `queue`, which every release is compared by. `all` records everything.
A scenario that the release cannot run is printed with the reason. Each scenario is a process of its own."""

import os
import socket
import subprocess
import sys
import threading

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
os.environ['CUDA_VISIBLE_DEVICES'] = ''
import tensorflow

IS_1 = tensorflow.__version__.startswith('1.')
VERSION = tensorflow.__version__
tf = tensorflow if IS_1 else tensorflow.compat.v1


def options(level='FULL_TRACE', graphs=True):
    return tf.RunOptions(trace_level=getattr(tf.RunOptions, level), output_partition_graphs=graphs)


def save(out, name, metadata, ending='pb'):
    path = os.path.join(out, '%s-%s.%s' % (name, VERSION, ending))
    with open(path, 'wb') as file:
        file.write(metadata if isinstance(metadata, bytes) else metadata.SerializeToString())


def traced(session, fetches, steps=4, **how):
    """The metadata of the last of some steps: the first ones allocate and optimise."""
    for _ in range(steps):
        metadata = tf.RunMetadata()
        session.run(fetches, options=options(**how), run_metadata=metadata)
    return metadata


def started(session):
    session.run(tf.global_variables_initializer())
    return session


def small_net(x):
    for layer, channels in enumerate((8, 16, 16)):
        weights = tf.get_variable('w%d' % layer, [3, 3, int(x.shape[-1]), channels])
        bias = tf.get_variable('b%d' % layer, [channels])
        x = tf.nn.relu(tf.nn.conv2d(x, weights, strides=[1, 1, 1, 1], padding='SAME') + bias)
        x = tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')
    x = tf.reshape(x, [-1, 256])
    return tf.matmul(x, tf.get_variable('fc_w', [256, 10])) + tf.get_variable('fc_b', [10])


def loss_of(logits):
    labels = tf.random_uniform([16], maxval=10, dtype=tf.int32)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def images():
    return tf.random_normal([16, 32, 32, 3])


def free_port():
    with socket.socket() as listening:
        listening.bind(('127.0.0.1', 0))
        return listening.getsockname()[1]


def cluster_of(ports):
    return tf.train.ClusterSpec({
        'ps': ['localhost:%s' % ports[0]],
        'worker': ['localhost:%s' % port for port in ports[1:]],
    })


def tower_training(cluster):
    """One server has the variables, three workers a tower each; the server adds their gradients."""
    gradients, optimizer = [], tf.train.AdamOptimizer(1e-3)
    for tower in range(3):
        setter = tf.train.replica_device_setter(worker_device='/job:worker/task:%d' % tower, cluster=cluster)
        with tf.device(setter), tf.variable_scope('net', reuse=tf.AUTO_REUSE), tf.name_scope('tower_%d' % tower):
            gradients.append(optimizer.compute_gradients(loss_of(small_net(images()))))
    with tf.device('/job:ps/task:0'):
        means = [(tf.add_n([gradient for gradient, _ in own]) / 3, own[0][1]) for own in zip(*gradients)]
        return optimizer.apply_gradients(means)


def cluster(out):
    """All tasks in this process."""
    spec = cluster_of([free_port() for _ in range(4)])
    servers = [tf.train.Server(spec, job_name=job, task_index=task) for job, tasks in (('ps', 1), ('worker', 3)) for task in range(tasks)]
    train = tower_training(spec)
    with started(tf.Session(servers[1].target)) as session:
        save(out, 'cluster', traced(session, train))


def serve(job, task, ports):
    tf.train.Server(cluster_of(ports), job_name=job, task_index=int(task)).join()


def cluster_processes(out):
    """The same with a process for each task."""
    ports = [free_port() for _ in range(4)]
    tasks = (('ps', 0), ('worker', 1), ('worker', 2))
    others = [subprocess.Popen([sys.executable, __file__, '--serve', job, str(task)] + [str(port) for port in ports]) for job, task in tasks]
    try:
        spec = cluster_of(ports)
        server = tf.train.Server(spec, job_name='worker', task_index=0)
        train = tower_training(spec)
        with started(tf.Session(server.target)) as session:
            save(out, 'cluster-processes', traced(session, train))
    finally:
        for other in others:
            other.kill()


def looped():
    """A queue that runners fill, and a loop over what comes out of it."""
    queue = tf.FIFOQueue(32, [tf.float32], [[64]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(tf.random_normal([64]))] * 2))
    weights = tf.get_variable('w', [64, 64])
    body = lambda i, v: (i + 1, tf.tanh(tf.matmul(v, weights)))
    _, end = tf.while_loop(lambda i, v: i < 20, body, [tf.constant(0), queue.dequeue()[None]])
    return tf.train.GradientDescentOptimizer(.01).minimize(tf.reduce_sum(end))


def queue(out):
    train = looped()
    with started(tf.Session()) as session:
        tf.train.start_queue_runners(session)
        save(out, 'queue', traced(session, train))


def levels(out):
    """Every level that has ops, with and without graphs."""
    train = looped()
    with started(tf.Session()) as session:
        tf.train.start_queue_runners(session)
        for level in ('SOFTWARE_TRACE', 'HARDWARE_TRACE', 'FULL_TRACE'):
            for graphs in (True, False):
                name = 'level-%s-%s' % (level.split('_')[0].lower(), 'graphs' if graphs else 'bare')
                save(out, name, traced(session, train, level=level, graphs=graphs))


def monitored(out):
    """A MonitoredTrainingSession whose hooks save summaries and checkpoints, and one that asks for a trace."""
    train, recorded = tf.train.AdamOptimizer(1e-3).minimize(loss_of(small_net(images())), tf.train.get_or_create_global_step()), []
    folder = os.path.join(out, 'monitored-%s' % VERSION)

    class Tracer(tf.train.SessionRunHook):
        def before_run(self, context):
            return tf.train.SessionRunArgs([], options=options())

        def after_run(self, context, values):
            recorded.append(values.run_metadata)

    hooks = [Tracer(), tf.train.ProfilerHook(save_steps=3, output_dir=folder)]
    with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, save_summaries_steps=2, save_checkpoint_steps=3) as session:
        for _ in range(5):
            session.run(train)
    save(out, 'monitored', recorded[3])


def estimator(out):
    """An Estimator with a ProfilerHook, which writes timelines, and a hook that asks for a trace."""
    recorded, folder = [], os.path.join(out, 'estimator-%s' % VERSION)

    class Tracer(tf.train.SessionRunHook):
        def before_run(self, context):
            return tf.train.SessionRunArgs([], options=options())

        def after_run(self, context, values):
            recorded.append(values.run_metadata)

    def model(features, labels, mode):
        loss = loss_of(small_net(features))
        train = tf.train.AdamOptimizer(1e-3).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    def batches():
        data = tf.data.Dataset.range(64).map(lambda _: tf.random_normal([16, 32, 32, 3]), num_parallel_calls=2)
        return data.prefetch(2).map(lambda image: (image, tf.zeros([16], tf.int32)))

    hooks = [Tracer(), tf.train.ProfilerHook(save_steps=3, output_dir=folder)]
    tf.estimator.Estimator(model, folder).train(batches, hooks=hooks, steps=5)
    save(out, 'estimator', recorded[3])


def function(out):
    """Functions that a session calls: Defun in 1.x, and tf.function where there is one."""
    x = tf.random_normal([128, 128])
    if hasattr(tensorflow, 'function'):
        @tensorflow.function
        def chain(value):
            for _ in range(3):
                value = tf.tanh(tf.matmul(value, value))
            return tf.cond(tf.reduce_sum(value) > 0, lambda: value + 1, lambda: value - 1)
    else:
        from tensorflow.python.framework import function as functions

        @functions.Defun(tf.float32)
        def chain(value):
            for _ in range(3):
                value = tf.tanh(tf.matmul(value, value))
            return value
    y = tf.reduce_sum(chain(x)) + tf.reduce_sum(chain(x * 2))
    with started(tf.Session()) as session:
        save(out, 'function', traced(session, y))


def function_apart(out):
    """Functions that stay functions: their nodes have the same names in every call, calls run at once, and each is a run of its own."""
    if hasattr(tensorflow, 'function'):
        from tensorflow.python.eager import function as functions
        as_function = functions.defun_with_attributes(attributes={'_noinline': True})
    else:
        from tensorflow.python.framework import function as functions
        as_function = functions.Defun(tf.float32, func_name='Body', noinline=True)

    @as_function
    def body(value):
        for _ in range(3):
            value = tf.tanh(tf.matmul(value, value) * 1e-2)
        return value

    total = tf.add_n([tf.reduce_sum(body(tf.random_normal([96, 96]))) for _ in range(3)])
    with started(tf.Session()) as session:
        save(out, 'function-apart', traced(session, total))


def dataset(out):
    """tf.data with parallel maps, a prefetch and an iterator."""
    data = tf.data.Dataset.range(1000).map(lambda i: tf.random_normal([16, 32, 32, 3]) + tf.cast(i, tf.float32), num_parallel_calls=2)
    iterator = data.prefetch(2).make_initializable_iterator() if hasattr(data, 'make_initializable_iterator') else tf.data.make_initializable_iterator(data.prefetch(2))
    batch = iterator.get_next()
    batch.set_shape([16, 32, 32, 3])
    train = tf.train.AdamOptimizer(1e-3).minimize(loss_of(small_net(batch)))
    with started(tf.Session()) as session:
        session.run(iterator.initializer)
        save(out, 'dataset', traced(session, train))


def control_flow():
    x = tf.random_normal([64, 64])
    _, end = tf.while_loop(lambda i, v: i < 10, lambda i, v: (i + 1, tf.matmul(v, x) * .01), [tf.constant(0), x])
    return tf.cond(tf.reduce_sum(end) > 0, lambda: tf.reduce_sum(end * 2), lambda: tf.reduce_mean(tf.matmul(end, end)))


def control_v1(out):
    if hasattr(tf, 'disable_control_flow_v2'):
        tf.disable_control_flow_v2()
    y = control_flow()
    with started(tf.Session()) as session:
        save(out, 'control-v1', traced(session, y))


def control_v2(out):
    tf.enable_control_flow_v2()
    y = control_flow()
    with started(tf.Session()) as session:
        save(out, 'control-v2', traced(session, y))


def xla(out):
    """What XLA compiles for the CPU, as a whole session or as one function."""
    config = tf.ConfigProto()
    config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
    x = tf.random_normal([128, 128])
    if IS_1:
        from tensorflow.contrib.compiler import jit
        with jit.experimental_jit_scope():
            y = tf.reduce_sum(tf.tanh(tf.matmul(x, x) + 1) * 2)
    else:
        how = {'jit_compile': True} if int(VERSION.split('.')[1]) >= 5 else {'experimental_compile': True}

        @tensorflow.function(**how)
        def compiled(value):
            return tf.reduce_sum(tf.tanh(tf.matmul(value, value) + 1) * 2)
        y = compiled(x)
    with started(tf.Session(config=config)) as session:
        save(out, 'xla', traced(session, y))


def concurrent(out):
    """Another thread runs the same graph in the same session while a step is traced."""
    train = tf.train.AdamOptimizer(1e-3).minimize(loss_of(small_net(images())))
    with started(tf.Session()) as session:
        is_over = threading.Event()

        def others():
            while not is_over.is_set():
                session.run(train)

        other = threading.Thread(target=others)
        other.start()
        save(out, 'concurrent', traced(session, train, steps=8))
        is_over.set()
        other.join()


def chains(out):
    """Eight chains of dear and cheap ops that do not depend on each other, on four threads."""
    start, ends = tf.random_uniform([256, 256]), []
    for chain in range(8):
        own = start + float(chain + 1)
        for _ in range(4):
            own = tf.reshape(tf.identity(tf.matmul(own, own) * 1e-3), [256, 256]) + 1.0
        ends.append(tf.reduce_mean(own))
    total = tf.add_n(ends)
    for threads in (2, 4):
        config = tf.ConfigProto(inter_op_parallelism_threads=threads, intra_op_parallelism_threads=1, use_per_session_threads=True)
        with started(tf.Session(config=config)) as session:
            save(out, 'chains-%d' % threads, traced(session, total))


def multidevice(out):
    """Four CPUs in one process: nothing records what goes between them."""
    ends = []
    for device in range(4):
        with tf.device('/cpu:%d' % device):
            x = tf.random_normal([128, 128])
            for _ in range(4):
                x = tf.tanh(tf.matmul(x, x))
            ends.append(x)
    with tf.device('/cpu:0'):
        total = tf.reduce_sum(tf.add_n(ends))
    with started(tf.Session(config=tf.ConfigProto(device_count={'CPU': 4}))) as session:
        save(out, 'multidevice', traced(session, total))


def tfprof(out):
    """What tf.contrib.tfprof and tf.profiler write: their own messages, which hold no RunMetadata."""
    train = tf.train.AdamOptimizer(1e-3).minimize(loss_of(small_net(images())))
    profiler = tf.profiler.Profiler(tf.get_default_graph())
    with started(tf.Session()) as session:
        metadata = traced(session, train)
        profiler.add_step(1, metadata)
        save(out, 'tfprof-profile', profiler.serialize_to_string(), 'tfprof')
        profiler.profile_graph(tf.profiler.ProfileOptionBuilder(tf.profiler.ProfileOptionBuilder.time_and_memory()).with_timeline_output(os.path.join(out, 'tfprof-timeline-%s.json' % VERSION)).build())
        how = tf.profiler.ProfileOptionBuilder(tf.profiler.ProfileOptionBuilder.time_and_memory())
        how = how.build()
        save(out, 'tfprof-tree', profiler.profile_name_scope(how).SerializeToString(), 'tfprof')
    if IS_1:
        from tensorflow.contrib import tfprof as contrib
        with contrib.ProfileContext(os.path.join(out, 'tfprof-context-%s' % VERSION), trace_steps=[2], dump_steps=[3]):
            with started(tf.Session()) as session:
                for _ in range(5):
                    session.run(train)


def eager(out):
    """tf.summary's traces and the eager context's own RunMetadata, where they are."""
    from tensorflow.python.eager import context

    @tensorflow.function
    def step(x):
        return tensorflow.reduce_sum(tensorflow.tanh(tensorflow.matmul(x, x)))

    context.enable_run_metadata()
    step(tensorflow.random.normal([128, 128]))
    save(out, 'eager', context.export_run_metadata())


SCENARIOS = {
    'cluster': cluster, 'cluster-processes': cluster_processes, 'queue': queue, 'levels': levels, 'monitored': monitored,
    'estimator': estimator, 'function': function, 'function-apart': function_apart, 'dataset': dataset, 'control-v1': control_v1, 'control-v2': control_v2, 'xla': xla,
    'concurrent': concurrent, 'chains': chains, 'multidevice': multidevice, 'tfprof': tfprof, 'eager': eager,
}


def main(out, names):
    if not names:
        names = ['cluster', 'queue']
    elif names == ['all']:
        names = list(SCENARIOS)
    for name in names:
        made = subprocess.run([sys.executable, __file__, '--one', out, name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300)
        why = [line for line in made.stderr.decode(errors='replace').splitlines() if line.startswith('because: ')]
        print(VERSION, name, 'recorded' if made.returncode == 0 else 'not recorded %s' % ' '.join(why)[:300])


def one(out, name):
    if not IS_1 and name != 'eager':
        tf.disable_v2_behavior()
        if name != 'control-v2':
            tf.disable_control_flow_v2()
    try:
        SCENARIOS[name](out)
    except Exception as why:
        print('because: %s: %s' % (type(why).__name__, str(why).replace('\n', ' ')), file=sys.stderr, flush=True)
        os._exit(1)
    # Servers and runners of queues have threads that never end.
    os._exit(0)


if __name__ == '__main__':
    if sys.argv[1] == '--serve':
        serve(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif sys.argv[1] == '--one':
        one(sys.argv[2], sys.argv[3])
    else:
        main(sys.argv[1], sys.argv[2:])
