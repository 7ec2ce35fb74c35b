"""What TensorFlow 1 calls `tf.train`, as far as hooks need it."""

from collections import namedtuple

SessionRunArgs = namedtuple("SessionRunArgs", ["fetches", "feed_dict", "options"])
SessionRunArgs.__new__.__defaults__ = (None, None)
SessionRunContext = namedtuple("SessionRunContext", ["original_args", "session"])
SessionRunValues = namedtuple("SessionRunValues", ["results", "options", "run_metadata"])


class SessionRunHook:
    def begin(self):
        pass

    def after_create_session(self, session, coord):
        pass

    def before_run(self, run_context):
        return None

    def after_run(self, run_context, run_values):
        pass

    def end(self, session):
        pass


def get_global_step():
    return None
