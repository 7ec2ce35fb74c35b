"""A stub of the part of TensorFlow that is not public."""
