"""Measures SQLite FTS5: fts5.py FOLDER

It indexes the lines of FOLDER/texts, which are a room, a person and a text between tabs, in a
database in the folder, and answers each line of FOLDER/queries. It prints the size of the index in
bytes, and for each query the milliseconds and the numbers of the newest 20 lines.
"""

import sqlite3
import sys
import time

folder = sys.argv[1]
db = sqlite3.connect(folder + "/fts5.db")
db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;")
# The index has no copy of the texts, and helps with the first letters of words.
db.execute(
    "CREATE VIRTUAL TABLE texts USING fts5(room, person, text, content='', prefix='2 3',"
    " tokenize='unicode61 remove_diacritics 2')"
)
with open(folder + "/texts", encoding="utf-8", newline="\n") as lines:
    rows = ((i, *line.rstrip("\n").split("\t")) for i, line in enumerate(lines))
    db.executemany("INSERT INTO texts (rowid, room, person, text) VALUES (?, ?, ?, ?)", rows)
db.execute("INSERT INTO texts (texts) VALUES ('optimize')")
db.commit()
(pages,), (size,) = db.execute("PRAGMA page_count").fetchone(), db.execute("PRAGMA page_size").fetchone()
print(pages * size)
newest = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid DESC LIMIT 20"
with open(folder + "/queries", encoding="utf-8", newline="\n") as queries:
    for query in queries:
        began = time.perf_counter()
        found = db.execute(newest, (query.rstrip("\n"),)).fetchall()
        print((time.perf_counter() - began) * 1000, *(row for (row,) in found))
