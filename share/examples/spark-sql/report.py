#!/usr/bin/env python3
"""The sums of many recordings by Spark SQL, where the recordings are.

    spark-submit report.py [--jweave=PROGRAM] [--map=PATH]... --out=FOLDER RECORDING... | FOLDER

Each recording is piped through `jweave export tsv` on an executor (RDD.pipe), Spark lays the rows out as Parquet in
--out, a folder for each table, and answers from these what `jweave report` answers of one trace: calls, exceptions and
self time of each method, what each process did, pauses of the garbage collector. A recording is read by one task, so any
number of them is, and by as many executors as there are.

Recordings and the program have the same paths on all hosts (a shared disk), or --files brings the program: then it is
--jweave=./jweave. --json prints the sums as JSON.
"""
import argparse
import json
import os
import shlex
import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, split, when

# What is wanted of the tables of jweave-export(1): name and type of columns.
TABLES = {
    "process": "id bigint, pid bigint, host string, role string, cpu_ns bigint",
    "thread": "id bigint, process bigint, name string",
    "method": "id bigint, name string, full_name string",
    "call": "thread bigint, method bigint, duration_ns bigint, self_ns bigint, failed bigint",
    "gc": "process bigint, duration_ns bigint",
}

PARTS_OF_CORE, PARTS_LEAST = 8, 48  # (when a job begins not all of its cores may be known)

# Reads names of recordings, a line each. Prints their rows: table, recording, the wanted columns in their order.
PIPE = r"""
set -e
program=$1 tables=$2
shift 2
while IFS= read -r recording; do
	rows=$(mktemp -d)
	trap 'rm -rf "$rows"' EXIT
	"$program" export tsv -q -f --table=all -o "$rows" "$@" -- "$recording"
	for table in $tables; do
		awk -F'\t' -v table="${table%%:*}" -v want="${table#*:}" -v recording="$recording" '
			NR == 1 {
				n = split(want, names, ",")
				for (i = 1; i <= NF; i++) place[$i] = i
				for (i = 1; i <= n; i++) if (!(names[i] in place)) exit 1
				next
			}
			{
				printf "%s\t%s", table, recording
				for (i = 1; i <= n; i++) printf "\t%s", $place[names[i]]
				print ""
			}' "$rows/${table%%:*}.tsv"
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


def lay_out(spark, options, paths):
    """Writes the rows of all recordings as Parquet."""
    tables = " ".join(table + ":" + ",".join(name for name, _ in columns(table)) for table in TABLES)
    command = ["sh", "-c", PIPE, "rows", options.jweave, tables] + ["--map=" + path for path in options.map]
    # (each part makes a file of each table: few for each core, so that none of them waits long for the last)
    parts = min(len(paths), max(PARTS_LEAST, PARTS_OF_CORE * spark.sparkContext.defaultParallelism))
    lines = spark.sparkContext.parallelize(paths, parts).pipe(shlex.join(command), checkCode=True)
    fields = split(col("line"), "\t")
    rows = spark.createDataFrame(lines.map(lambda line: (line,)), "line string").withColumn("field", fields)
    rows = rows.select(rows.field[0].alias("table"), rows.field).write.mode("overwrite")
    rows.partitionBy("table").parquet(os.path.join(options.out, "rows"))
    for table in TABLES:
        of_table = spark.read.parquet(os.path.join(options.out, "rows", "table=" + table))
        named = [col("field")[1].alias("recording")]
        for i, (name, kind) in enumerate(columns(table)):
            value = col("field")[i + 2]
            named.append(when(value != "\\N", value).cast(kind).alias(name))  # (which is NULL)
        of_table.select(named).write.mode("overwrite").parquet(os.path.join(options.out, table))


QUESTIONS = {
    "methods": """
        SELECT first(m.name) AS name, m.full_name AS full, count(*) AS calls, sum(c.failed) AS exceptional,
               sum(c.self_ns) AS exclusiveNs, max(c.duration_ns) AS longestNs
        FROM call c JOIN method m ON c.recording = m.recording AND c.method = m.id
        GROUP BY m.full_name, if(m.full_name IS NULL OR m.full_name = '', m.name, '') ORDER BY exclusiveNs DESC""",
    "processes": """
        SELECT p.role, p.host, p.pid, first(p.cpu_ns) AS cpuNs, count(c.thread) AS calls, coalesce(sum(c.self_ns), 0) AS callNs
        FROM process p JOIN thread t ON p.recording = t.recording AND p.id = t.process
        LEFT JOIN call c ON c.recording = t.recording AND c.thread = t.id
        GROUP BY p.recording, p.role, p.host, p.pid ORDER BY callNs DESC""",
    "gcPauses": "SELECT count(*) AS count, coalesce(sum(duration_ns), 0) AS ns, coalesce(max(duration_ns), 0) AS longestNs FROM gc",
}


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
        spark.read.parquet(os.path.join(options.out, table)).createOrReplaceTempView(table)
    answers = {name: spark.sql(question) for name, question in QUESTIONS.items()}
    if options.json:
        print(json.dumps({name: [row.asDict() for row in rows.collect()] for name, rows in answers.items()}))
    else:
        for name, rows in answers.items():
            print(name)
            rows.show(20, truncate=60)
    spark.stop()


if __name__ == "__main__":
    main()
