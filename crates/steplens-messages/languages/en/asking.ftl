# What steplens fleet says: questions to a dataset of many traces.

ask-how = steplens fleet DATASET QUESTION answers one; --sql prints it, for DuckDB.
ask-nothing = No row: nothing in the dataset is so.
ask-more = and more rows; --all shows every row, --limit more of them
ask-columns = { $count ->
    [one] { $count } column does
   *[other] { $count } columns do
 } not fit; --json and --csv have all of them, a wider terminal has more
ask-no-duckdb = There is no DuckDB to answer with: this program was made without it. Put the program duckdb on the search path, or install its Python package (pip install duckdb) and name that Python with STEPLENS_PYTHON. --sql prints the query for a DuckDB elsewhere.
ask-failed = DuckDB has not answered: { $why }
ask-table-missing = The question { $question } needs { $tables }, which this dataset was made without. Index into a new folder, without --tables or with these.
ask-query-not-read = The query { $path } cannot be read: { $why }
ask-bad-day = { $day } is no day. Write it as 2026-11-26.
ask-bad-moment = { $moment } is no moment. Write it as 2026-11-26, 2026-11-26T09:30 (UTC), or as nanoseconds from 1970.
ask-bad-share = { $share } is no share. Write it as 10%.
ask-no-run = The dataset has no run { $run }. Its runs are { $runs }.
