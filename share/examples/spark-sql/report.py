#!/usr/bin/env python3
"""The sums of many recordings by Spark SQL, where the recordings are.

    spark-submit report.py [--jweave=PROGRAM] [--map=PATH]... --out=FOLDER RECORDING... | FOLDER

Each recording is piped through `jweave export tsv` on an executor (RDD.pipe), Spark lays the rows out as Parquet in
--out, a folder for each table (table=call and so on), and answers from these what `jweave report` answers of one trace:
calls, exceptions and self time of each method, what each process did, pauses of the garbage collector. A recording is read
by one task, so any number of them is, and by as many executors as there are.

Recordings and the program have the same paths on all hosts (a shared disk), or --files brings the program: then it is
--jweave=./jweave. --json prints the sums as JSON.
"""
import argparse
import heapq
import json
import os
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import SparkSession

# What is wanted of the tables of jweave-export(1): name and type of columns.
TABLES = {
    "process": "id bigint, pid bigint, host string, role string, cpu_ns bigint",
    "thread": "id bigint, process bigint, name string",
    "method": "id bigint, name string, full_name string",
    "call": "thread bigint, method bigint, duration_ns bigint, self_ns bigint, failed bigint",
    "gc": "process bigint, duration_ns bigint",
}

PARTS_OF_CORE, PARTS_LEAST = 8, 48  # (when a job begins not all of its cores may be known)

# Reads names of recordings, a line each. Prints their rows: table, recording, and the wanted columns of all tables, of which
# those of other tables are NULL.
PIPE = r"""
set -e
program=$1 columns=$2 tables=$3
shift 3
while IFS= read -r recording; do
	rows=$(mktemp -d)
	trap 'rm -rf "$rows"' EXIT
	"$program" export tsv -q -f -j1 --table=all -o "$rows" "$@" -- "$recording"
	for table in $tables; do
		file=$rows/${table%%:*}.tsv
		fields=$(awk -F'\t' -v want="${table#*:}" -v columns="$columns" '
			{
				for (i = 1; i <= NF; i++) place[$i] = i
				for (n = split(want, names, ","); n; n--) if (!(names[n] in place)) exit 1
				n = split(columns, names, ",")
				for (i = 1; i <= n; i++) printf ", %s", index("," want ",", "," names[i] ",") ? "$" place[names[i]] : "none"
				exit
			}' "$file")
		awk -F'\t' -v OFS='\t' -v none='\\N' -v table="${table%%:*}" -v recording="$recording" \
			"NR > 1 { print table, recording$fields }" "$file"
	done
	rm -rf "$rows"
done
"""


def columns(table):
    return [column.split() for column in TABLES[table].split(", ")]


def recordings(operands):
    for path in operands:
        inside = [] if path.endswith(".jwr") else sorted(os.listdir(path))
        if path.endswith(".jwr"):
            yield os.path.abspath(path)
        yield from (os.path.abspath(os.path.join(path, name)) for name in inside if name.endswith(".jwr"))


def size(recording):
    return sum(file.stat().st_size for file in os.scandir(recording))


def deal(paths, parts):
    """Parts that are about as large, the largest first: so that no executor waits long for the last of another one."""
    heap = [(0, i, []) for i in range(parts)]
    for bytes, path in sorted(((size(path), path) for path in paths), reverse=True):
        load, i, part = heap[0]
        heapq.heapreplace(heap, (load + bytes, i, part + [path]))
    return [part for _, _, part in sorted(heap, key=lambda entry: (-entry[0], entry[1]))]


def lay_out(spark, options, paths):
    """Writes the rows of all recordings as Parquet."""
    kinds = {name: kind for table in TABLES for name, kind in columns(table)}
    tables = " ".join(table + ":" + ",".join(name for name, _ in columns(table)) for table in TABLES)
    command = ["sh", "-c", PIPE, "rows", options.jweave, ",".join(kinds), tables] + ["--map=" + path for path in options.map]
    # (each part makes a file of each table: few for each core, so that none of them waits long for the last)
    parts = deal(paths, min(len(paths), max(PARTS_LEAST, PARTS_OF_CORE * spark.sparkContext.defaultParallelism)))
    lines = spark.sparkContext.parallelize(parts, len(parts)).flatMap(lambda part: part)
    lines = lines.pipe(shlex.join(command), checkCode=True)
    schema = ", ".join(["table string", "recording string"] + [name + " " + kind for name, kind in kinds.items()])
    rows = spark.read.csv(lines, schema=schema, sep="\t", quote="", nullValue="\\N", mode="FAILFAST")
    rows.write.mode("overwrite").partitionBy("table").parquet(options.out)


QUESTIONS = {
    "methods": """
        SELECT first(m.name) AS name, m.full_name AS full, sum(c.calls) AS calls, sum(c.failed) AS exceptional,
               sum(c.ns) AS exclusiveNs, max(c.longest) AS longestNs
        FROM (SELECT recording, method, count(*) AS calls, sum(failed) AS failed, sum(self_ns) AS ns, max(duration_ns) AS longest
              FROM call GROUP BY recording, method) c
        JOIN method m ON c.recording = m.recording AND c.method = m.id
        GROUP BY m.full_name, if(m.full_name IS NULL OR m.full_name = '', m.name, '')""",
    "processes": """
        SELECT p.role, p.host, p.pid, first(p.cpu_ns) AS cpuNs, coalesce(sum(c.calls), 0) AS calls, coalesce(sum(c.ns), 0) AS callNs
        FROM process p JOIN thread t ON p.recording = t.recording AND p.id = t.process
        LEFT JOIN (SELECT recording, thread, count(*) AS calls, sum(self_ns) AS ns FROM call GROUP BY recording, thread) c
        ON c.recording = t.recording AND c.thread = t.id
        GROUP BY p.recording, p.role, p.host, p.pid""",
    "gcPauses": "SELECT count(*) AS count, coalesce(sum(duration_ns), 0) AS ns, coalesce(max(duration_ns), 0) AS longestNs FROM gc",
}
SORTED_BY = {"methods": "exclusiveNs", "processes": "callNs"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--jweave", default="jweave")
    parser.add_argument("--map", action="append", default=[])
    parser.add_argument("--out", required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("recordings", nargs="+")
    options = parser.parse_args()
    paths = list(recordings(options.recordings))
    if not paths:
        sys.exit("no recordings (NAME.jwr) in " + ", ".join(options.recordings))
    spark = SparkSession.builder.appName("jweave report").getOrCreate()
    lay_out(spark, options, paths)
    for table in TABLES:
        rows = spark.read.schema("recording string, " + TABLES[table]).parquet(options.out).where(f"table = '{table}'")
        rows.createOrReplaceTempView(table)
    with ThreadPoolExecutor() as pool:  # (where the last tasks of one question leave executors idle, another one has some)
        answers = dict(zip(QUESTIONS, pool.map(lambda question: spark.sql(question).collect(), QUESTIONS.values())))
    for name, column in SORTED_BY.items():  # (few rows: in SQL, it would be two jobs more)
        answers[name].sort(key=lambda row: row[column], reverse=True)
    if options.json:
        print(json.dumps({name: [row.asDict() for row in rows] for name, rows in answers.items()}))
    else:
        for name, rows in answers.items():
            print(f"{name}, {len(rows)}:")
            for row in [list(rows[0].asDict())] + rows[:20] if rows else []:
                print(*["" if value is None else value for value in row], sep="\t")
    spark.stop()


if __name__ == "__main__":
    main()
