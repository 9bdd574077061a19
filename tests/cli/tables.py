"""tables.py TABLES REPORT.json TRACE.prv: reads what `jweave export sqlite` (a file) or `tsv --table=all` (a
folder) wrote, and prints how many calls, states, arrows and events are in it, and whatever differs from the report
and the trace, or is wrong in itself."""
import collections
import csv
import json
import os
import sqlite3
import sys

wrong = []


def of_folder(folder):
    """The text files as tables of a database without indexes and views."""
    db = sqlite3.connect(':memory:')
    names = {'\\t': '\t', '\\n': '\n', '\\r': '\r', '\\\\': '\\'}

    def value(text):
        if text == '\\N':
            return None
        out, at = '', 0
        while at < len(text):
            step = 2 if text[at] == '\\' else 1
            out += names[text[at:at + 2]] if step == 2 else text[at]
            at += step
        return out

    for file in sorted(os.listdir(folder)):
        with open(os.path.join(folder, file), encoding='utf-8', newline='') as f:
            rows = list(csv.reader(f, delimiter='\t', quoting=csv.QUOTE_NONE, lineterminator='\n'))
        head, table = rows[0], file[:-len('.tsv')]
        texts = {'key', 'name', 'kind', 'host', 'full_name', 'file', 'label'} | ({'value'} if table == 'meta' else set())
        db.execute(f'create table {table} ({", ".join(c + ("" if c in texts else " integer") for c in head)})')
        for row in rows[1:]:
            if len(row) != len(head):
                wrong.append(f'{file}: {len(row)} values')
        db.executemany(f'insert into {table} values ({",".join("?" * len(head))})',
                       [[value(v) for v in r] for r in rows[1:]])
    return db


def differ(what, got, want):
    for key in sorted(set(got) | set(want), key=str):
        if got.get(key) != want.get(key):
            wrong.append(f'{what} {key}: {got.get(key)}, not {want.get(key)}')


tables, report, prv = sys.argv[1], json.load(open(sys.argv[2])), sys.argv[3]
if os.path.isdir(tables):
    db = of_folder(tables)
else:
    db = sqlite3.connect(tables)
    check = [r[0] for r in db.execute('pragma integrity_check')]
    if check != ['ok']:
        wrong += check
    wrong += [f'no row for {r}' for r in db.execute('pragma foreign_key_check')]
    for (view,) in db.execute("select name from sqlite_master where type = 'view'").fetchall():
        db.execute(f'select * from {view} limit 10').fetchall()


def rows(sql):
    return db.execute(sql).fetchall()


# methods: calls, exceptions, times; a call inside one of the same method counts once
calls = rows("select c.id, c.parent, c.thread, m.name || coalesce(' ' || m.full_name, '') || coalesce(' ' || m.file || "
             "coalesce(':' || m.line, ''), ''), c.begin_ns, c.duration_ns, c.self_ns, c.depth, c.failed "
             "from call c join method m on m.id = c.method order by c.id")
by_id, got = {c[0]: c for c in calls}, collections.defaultdict(lambda: [0, 0, 0, 0])
around, inside = {}, collections.Counter()
last = 0
for id, parent, thread, name, begin, duration, self, depth, failed in calls:
    above = by_id.get(parent)
    if begin < last:
        wrong.append(f'call {id} begins before the one before')
    last = begin
    if above and (above[2] != thread or above[4] > begin or above[4] + above[5] < begin + duration):
        wrong.append(f'call {id} is not inside of {parent}')
    if depth != (above[7] + 1 if above else 0):
        wrong.append(f'call {id} has depth {depth}')
    inside[parent] += duration
    around[id] = (around[parent] if above else frozenset()) | {name}
    g = got[name]
    g[0] += 1
    g[1] += failed
    g[2] += 0 if above and name in around[parent] else duration
    g[3] += self
wrong += [f'call {c[0]} has {c[6]} ns of its own' for c in calls if c[6] != c[5] - inside[c[0]]]
want = collections.defaultdict(lambda: [0, 0, 0, 0])
for m in report['methods']:
    for i, key in enumerate(('calls', 'exceptional', 'inclusiveNs', 'exclusiveNs')):
        want[' '.join(filter(None, (m['name'], m['full'])))][i] += m[key]
differ('method', got, want)

# threads: names, time in each state, operations
names = dict(rows('select t.id, t.name from thread t'))
place = {(p, n): i for i, p, n in rows('select id, process, number from thread')}
wrong += [f"no thread {t['name']}" for t in report['threads']
          if names.get(place.get((t['task'], t['thread']))) != t['name']]
states = {(t, n): ns for t, n, ns in rows('select s.thread, n.name, sum(s.duration_ns) from state s '
                                           'join name n on n.id = s.state group by 1, 2')}
said, done = {}, {}
for t in report['threads']:
    for number, ns in t['states'].items():
        said[place[t['task'], t['thread']], report['states'][number]] = ns
    for o in t['operations']:
        done[place[t['task'], t['thread']], f"{o['type']}/{o['name']}"] = (o['count'], o['ns'])
listed = {place[t['task'], t['thread']] for t in report['threads']}
differ('state', {k: v for k, v in states.items() if k[0] in listed and k[1] != 'Idle'},
       {k: v for k, v in said.items() if k[1] != 'Idle'})
# (the time of one in another of its kind counts once)
counted, until = collections.defaultdict(lambda: (0, 0)), collections.defaultdict(int)
for thread, name, begin, ns in rows('select e.thread, n.name, e.begin_ns, e.duration_ns from event e join name n on '
                                    "n.id = e.what where n.kind = 'operation' order by 3, 4 desc"):
    n, total = counted[thread, name]
    counted[thread, name] = n + 1, total + (0 if begin + ns <= until[thread, name] else ns)
    until[thread, name] = max(until[thread, name], begin + ns)
differ('operation', counted, done)

# arrows, as the lines of the trace say them
arrows = collections.Counter(rows('select from_thread, sent_ns, to_thread, received_ns from arrow'))
lines = collections.Counter()
with open(prv, encoding='utf-8') as f:
    for line in f:
        if line.startswith('3:'):
            v = [int(x) for x in line.split(':')[1:]]
            lines[place[v[2], v[3]], v[4], place[v[8], v[9]], v[10]] += 1
differ('arrow', arrows, lines)
for id, sent, thread, begin, end in rows('select a.from_call, a.sent_ns, a.from_thread, c.begin_ns, c.begin_ns + c.duration_ns '
                                         'from arrow a join call c on c.id = a.from_call'):
    if by_id[id][2] != thread or not begin <= sent <= end:
        wrong.append(f'an arrow does not leave call {id}')
for id, received, thread, begin, end in rows('select a.to_call, a.received_ns, a.to_thread, c.begin_ns, c.begin_ns + c.duration_ns '
                                             'from arrow a join call c on c.id = a.to_call'):
    if by_id[id][2] != thread or not begin <= received <= end:
        wrong.append(f'an arrow does not reach call {id}')

pauses, ns = rows('select count(*), coalesce(sum(duration_ns), 0) from gc')[0]
differ('gc', {'count': pauses, 'ns': ns}, {k: report['gcPauses'][k] for k in ('count', 'ns')})
for (end,) in rows("select value from meta where key = 'end_ns'"):
    if int(end) != report['durationNs']:
        wrong.append(f'the end is {end}')
print(f'{len(calls)} calls, {sum(arrows.values())} arrows, {sum(name != "JVM" for name in names.values())} threads')
print('\n'.join(wrong[:20]) or 'nothing is wrong')
