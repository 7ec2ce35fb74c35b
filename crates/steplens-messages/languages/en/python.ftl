# What the Python package says of itself.
python-internal = Steplens has a fault: an answer did not come. Please report it with the trace, or with what `steplens doctor` says of it.
python-opening-ended = this was read to its end already. Begin anew.
python-column-misspelt = the table `{ $table }` has no column `{ $name }`: do you mean `{ $nearest }`? Its columns are { $columns }.
python-column-unknown = the table `{ $table }` has no column `{ $name }`. Its columns are { $columns }.
