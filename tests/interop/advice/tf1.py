"""What jobs of TensorFlow 1.15 have in common: how they are configured, and how a step is recorded."""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import tensorflow.compat.v1 as tf  # noqa: E402
from tensorflow.core.protobuf import rewriter_config_pb2 as rewriter  # noqa: E402

tf.logging.set_verbosity(tf.logging.ERROR)


def config(threads, is_local=True):
    """`threads` between ops and one within; nothing is folded or moved, so that what was written is what runs."""
    off = rewriter.RewriterConfig(disable_meta_optimizer=True)
    return tf.ConfigProto(
        inter_op_parallelism_threads=threads,
        intra_op_parallelism_threads=1,
        use_per_session_threads=is_local,  # a server refuses it
        graph_options=tf.GraphOptions(rewrite_options=off, optimizer_options=tf.OptimizerOptions(opt_level=-1)),
    )


def length_us(stats):
    starts, ends = [], []
    for device in stats.dev_stats:
        for node in device.node_stats:
            starts.append(node.all_start_nanos or node.all_start_micros * 1000)
            ends.append(starts[-1] + (node.all_end_rel_nanos or node.all_end_rel_micros * 1000))
    return (max(ends) - min(starts)) / 1e3


def is_complete(metadata):
    """Whether each tensor between tasks was recorded. A master tells the tasks to record them while the step begins already, and does
    not wait for them (`SetRPCLogging` in `master_session.cc`): a tensor that is asked for before that is missing."""

    def task(device):
        return device.split(b"/device:")[0]

    nodes = [node.attr for graph in metadata.partition_graphs for node in graph.node if node.op == "_Recv"]
    between = sum(task(own["send_device"].s) != task(own["recv_device"].s) for own in nodes)
    own = [node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats]
    return own.count("RecvTensor") == between


def steps_of(session, fetch, warm=110):
    """A step that is not recorded, and one that is. An op counts as cheap once its cost has fallen, which takes some hundred runs."""
    full = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)

    def recorded():
        for _ in range(50):
            metadata = tf.RunMetadata()
            session.run(fetch, options=full, run_metadata=metadata)
            if is_complete(metadata):
                return length_us(metadata.step_stats), metadata.SerializeToString()
        raise RuntimeError("of 50 steps each lacks a tensor")

    for _ in range(warm):
        session.run(fetch)
    return lambda: session.run(fetch), recorded


def product(x, inner, name):
    """A product with `inner` as its inner size, after `x`: how long it takes, and not how large its output is, follows it.

    Products of one size share their variables, which stay in a core's cache then: memory that other programs use, too, is less steady.
    """
    with tf.variable_scope("of%d" % inner, reuse=tf.AUTO_REUSE):
        left, right = tf.get_variable("left", [128, inner]), tf.get_variable("right", [inner, 128])
    with tf.control_dependencies([x]):
        return tf.tanh(x + tf.matmul(left, right, name=name))
