"""The same as read_csv.cpp by a peer: peer.py pandas|pyarrow FILE.

Prints rows, columns, the sum of all values, and seconds of wall clock and of processor. One thread;
every column is read as doubles, as ours are; the sum is not timed.
"""

import sys
import time


def read_pandas(path):
    import pandas

    return lambda: pandas.read_csv(path, engine="c", dtype="float64")


def read_pyarrow(path):
    import pyarrow
    from pyarrow import csv

    pyarrow.set_cpu_count(1)
    pyarrow.set_io_thread_count(1)
    with open(path) as file:
        names = file.readline().rstrip("\n").split(",")
    types = csv.ConvertOptions(column_types={name: pyarrow.float64() for name in names})
    options = csv.ReadOptions(use_threads=False)
    return lambda: csv.read_csv(path, read_options=options, convert_options=types)


def total(table):
    if hasattr(table, "itercolumns"):
        from pyarrow import compute

        return sum(compute.sum(column).as_py() for column in table.itercolumns())
    return table.to_numpy().sum()


def main():
    peer, path = sys.argv[1:]
    read = {"pandas": read_pandas, "pyarrow": read_pyarrow}[peer](path)
    wall, processor = time.perf_counter(), time.process_time()
    table = read()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    rows, columns = table.shape
    print(f"{rows} {columns} {total(table):.17g} {wall:.4f} {processor:.4f}")


if __name__ == "__main__":
    main()
