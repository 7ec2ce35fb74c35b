"""A stub of Horovod, for tests of ranks."""
