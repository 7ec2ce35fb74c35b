"""The session to which `hook_inject` gives its hook."""

import tensorflow
from tensorflow import train


class _MonitoredSession:
    """Calls hooks as TensorFlow does; the first that asks for options gets them."""

    def __init__(self, session_creator, hooks, should_recover=False):
        self.session, self.hooks, self.should_recover = session_creator, hooks or [], should_recover
        for hook in self.hooks:
            hook.begin()

    def run(self, fetches, feed_dict=None):
        context = train.SessionRunContext(train.SessionRunArgs(fetches, feed_dict), self.session)
        asked = [hook.before_run(context) for hook in self.hooks]
        options = next((each.options for each in asked if each is not None), None)
        metadata = tensorflow.RunMetadata()
        values = self.session.run(fetches, feed_dict, options, metadata)
        for hook in self.hooks:
            hook.after_run(context, train.SessionRunValues(None, options, metadata))
        return values

    def close(self):
        for hook in self.hooks:
            hook.end(self.session)
