#!/usr/bin/env python3
"""The sums of many recordings by Spark SQL, where the recordings are.

    spark-submit report.py [--jweave=PROGRAM] [--map=PATH]... [--out=FOLDER] RECORDING... | FOLDER

Says what `jweave report` says of one trace: calls, exceptions and self time of each method, what each process did, pauses of
the garbage collector. Each recording is summed up by `jweave report --json` on an executor (TRANSFORM), so that Spark gets
one line of it, and adds up the lines. A recording is read by one task on one core, so any number of them is, and by as many
executors as there are, which need no Python.

With --out, for questions of your own, `jweave export tsv` tells all calls instead, Spark lays the rows out as Parquet in that
folder, a folder for each table (table=call and so on), and the sums are those of the rows. This takes several times as long.

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

from pyspark import SparkConf
from pyspark.sql import Row, SparkSession

# What is wanted of the tables of jweave-export(1): name and type of columns.
TABLES = {
    "process": "id bigint, pid bigint, host string, role string, cpu_ns bigint",
    "thread": "id bigint, process bigint, name string",
    "method": "id bigint, name string, full_name string",
    "call": "thread bigint, method bigint, duration_ns bigint, self_ns bigint, failed bigint",
    "gc": "process bigint, duration_ns bigint",
}

# And of jweave-info(1) and jweave-report(1).
REPORT = """
    info struct<role string, host string, pid bigint>,
    report struct<
        methods array<struct<name string, full string, calls bigint, exceptional bigint, exclusiveNs bigint, longestNs bigint>>,
        cpuNs bigint, calls bigint, gcPauses struct<count bigint, ns bigint, longestNs bigint>>"""

# Tasks: at least so many, since not all cores may be known when a job begins. Those of rows make a file of each table.
PARTS_OF_CORE, SUMS_PARTS_LEAST, ROWS_PARTS_LEAST = 8, 96, 48

# Reads names of recordings, a line each. Prints a line of each: what info and report say.
SUMS = r"""
set -e
program=$1
shift
while IFS= read -r recording; do
	info=$("$program" info -q --json -- "$recording")
	report=$("$program" report -q -j1 --json "$@" -- "$recording")
	printf '{"info":%s,"report":%s}' "$info" "$report" | tr -d '\n'
	echo
done
"""

# Prints their rows: table, recording, and the wanted columns of all tables, of which those of other tables are NULL.
ROWS = r"""
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
    return sum(file.stat().st_size for file in os.scandir(recording) if file.is_file())


def deal(paths, parts):
    """Parts that are about as large, the largest first: so that no executor waits long for the last of another one."""
    heap = [(0, i, []) for i in range(parts)]
    for bytes, path in sorted(((size(path), path) for path in paths), reverse=True):
        load, i, part = heap[0]
        heapq.heapreplace(heap, (load + bytes, i, part + [path]))
    return [part for _, _, part in sorted(heap, key=lambda entry: (-entry[0], entry[1]))]


def text(words):
    """As a literal of SQL."""
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"


def piped(spark, paths, most, script, *arguments):
    """A table of what SCRIPT prints of the recordings, a line each; by Spark's own JVMs alone, without Python between."""
    parts = deal(paths, min(len(paths), max(most, PARTS_OF_CORE * spark.sparkContext.defaultParallelism)))
    spark.range(0, len(parts), 1, len(parts)).createOrReplaceTempView("part")
    return spark.sql(f"""
        SELECT TRANSFORM(recording) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\u0001'
        USING {text(shlex.join(["sh", "-c", script, "report.py", *arguments]))}
        AS (line string) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\u0001'
        FROM (SELECT explode(from_json({text(json.dumps(parts))}, 'array<array<string>>')[int(id)]) AS recording FROM part)""")


def sum_up(spark, options, paths):
    """Adds up reports, in one job: { question: rows }."""
    lines = piped(spark, paths, SUMS_PARTS_LEAST, SUMS, options.jweave, *("--map=" + path for path in options.map))
    lines.selectExpr("monotonically_increasing_id() AS recording",
                     f"from_json(line, {text(REPORT)}, map('mode', 'FAILFAST')) AS r").select("recording", "r.*").createOrReplaceTempView("report")
    answers = {name: [] for name in ANSWERS}
    for row in spark.sql(OF_REPORTS).collect():
        answers[row.answer].append(Row(**{column: row[place] for column, place in ANSWERS[row.answer].items()}))
    return answers


def lay_out(spark, options, paths):
    """Writes the rows of all recordings as Parquet, and asks them: { question: rows }."""
    kinds = {name: kind for table in TABLES for name, kind in columns(table)}
    tables = " ".join(table + ":" + ",".join(name for name, _ in columns(table)) for table in TABLES)
    lines = piped(spark, paths, ROWS_PARTS_LEAST, ROWS, options.jweave, ",".join(kinds), tables, *("--map=" + path for path in options.map))
    schema = ", ".join(["table string", "recording string"] + [name + " " + kind for name, kind in kinds.items()])
    as_read = r"map('sep', '\t', 'quote', '', 'nullValue', '\\N', 'mode', 'FAILFAST')"
    rows = lines.selectExpr(f"from_csv(line, {text(schema)}, {as_read}) AS r").select("r.*")
    rows.write.mode("overwrite").partitionBy("table").parquet(options.out)
    for table in TABLES:
        rows = spark.read.schema("recording string, " + TABLES[table]).parquet(options.out).where(f"table = '{table}'")
        rows.createOrReplaceTempView(table)
    with ThreadPoolExecutor() as pool:  # (where the last tasks of one question leave executors idle, another one has some)
        return dict(zip(OF_ROWS, pool.map(lambda question: spark.sql(question).collect(), OF_ROWS.values())))


# One pass over the reports: rows of all answers have the same columns, and ANSWERS says what they are in each.
SUM = """array<struct<answer string, name string, full string, host string, pid bigint, cpuNs bigint,
    count bigint, failed bigint, ns bigint, longest bigint>>"""
OF_REPORTS = f"""
    SELECT answer, name, full, host, pid, cpuNs, sum(count) AS count, sum(failed) AS failed, sum(ns) AS ns, max(longest) AS longest
    FROM (SELECT recording, inline(concat(
        CAST(transform(report.methods, m -> struct('methods', m.name, m.full, NULL, NULL, NULL,
            m.calls, m.exceptional, m.exclusiveNs, m.longestNs)) AS {SUM}),
        CAST(array(struct('processes', info.role, NULL, info.host, info.pid, report.cpuNs,
            report.calls, 0L, aggregate(report.methods, 0L, (ns, m) -> ns + m.exclusiveNs), 0L)) AS {SUM}),
        CAST(array(struct('gcPauses', NULL, NULL, NULL, NULL, NULL,
            report.gcPauses.count, 0L, report.gcPauses.ns, report.gcPauses.longestNs)) AS {SUM}))) FROM report)
    GROUP BY answer, if(answer = 'processes', recording, NULL), name, full, host, pid, cpuNs"""
ANSWERS = {
    "methods": {"name": "name", "full": "full", "calls": "count", "exceptional": "failed", "exclusiveNs": "ns", "longestNs": "longest"},
    "processes": {"role": "name", "host": "host", "pid": "pid", "cpuNs": "cpuNs", "calls": "count", "callNs": "ns"},
    "gcPauses": {"count": "count", "ns": "ns", "longestNs": "longest"},
}
OF_ROWS = {
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
    parser.add_argument("--out")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("recordings", nargs="+")
    options = parser.parse_args()
    paths = list(recordings(options.recordings))
    if not paths:
        sys.exit("no recordings (NAME.jwr) in " + ", ".join(options.recordings))
    conf = SparkConf().set("spark.sql.variable.substitute", "false")  # (that is for the shell: ${table%%:*})
    if not options.out:  # (an executor does little but wait for jweave: what its JIT would take is more than what that would save)
        conf.setIfMissing("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1")
    spark = SparkSession.builder.appName("jweave report").config(conf=conf).getOrCreate()
    answers = (lay_out if options.out else sum_up)(spark, options, paths)
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
