# What the Python package says of itself.
python-internal = Steplens has a fault: an answer did not come. Please report it with the trace, or with what `steplens doctor` says of it.
python-opening-ended = this was read to its end already. Begin anew.
python-unknown-column = the table has no column `{ $name }`. `column_names` of the whole table lists them.
