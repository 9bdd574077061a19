"""paje_read.py TRACE REPORT.json TRACE.prv [DUMP]: reads what `jweave export paje` wrote, by the format alone,
and DUMP, what `pj_dump --float-precision=9` says of it; holds both against what `jweave report` and the .prv of
the same run say; and prints what is in it and what is wrong."""
import collections
import gzip
import json
import re
import sys

wrong = []
definitions, names, types, containers = {}, {'0': '0'}, {}, {'0': '0'}
stacks, current = collections.defaultdict(list), {}
calls, spent, states = collections.Counter(), collections.Counter(), collections.Counter()
started, arrows, uses, waiting = {}, collections.Counter(), collections.Counter(), {}
ended, events, now = set(), collections.Counter(), 0


def ns(text):
    seconds, fraction = text.split('.')
    if len(fraction) != 9:
        wrong.append(f'{text} has no nine decimals')
    return int(seconds) * 10**9 + int(fraction)


def known(alias, table=names):
    if alias not in table:
        wrong.append(f'{alias} is not defined')
    return table.get(alias, alias)


def set_state(f, value):
    key = f['Container'], f['Type']
    if key in current:
        value_before, since = current[key]
        states[known(f['Container'], containers), known(value_before)] += now - since
    current[key] = value, now


with (gzip.open if sys.argv[1].endswith('.gz') else open)(sys.argv[1], 'rt', encoding='utf-8', newline='\n') as lines:
    defining = None
    for line in lines:
        line = line.rstrip('\n')
        if line.startswith('%EventDef'):
            _, name, number = line.split()
            defining = definitions[number] = (name, [])
        elif line == '%EndEventDef':
            defining = None
        elif line.startswith('%'):
            defining[1].append(line.split()[1])
        else:
            words = [w.strip('"') for w in re.findall(r'"[^"]*"|\S+', line)]
            kind, fields = definitions[words[0]]
            if len(words) != len(fields) + 1:
                wrong.append(f'{line}: fields')
            f = dict(zip(fields, words[1:]))
            if 'Time' in f:
                if ns(f['Time']) < now:
                    wrong.append(f'{line}: time goes back')
                now = ns(f['Time'])
            if kind == 'PajeCreateContainer':
                known(f['Container'], containers)
                containers[f['Alias']] = f['Name']
            elif kind.startswith('PajeDefine'):
                known(f['Type'])
                names[f['Alias']] = f['Name']
            elif kind == 'PajeDestroyContainer':
                known(f['Name'], containers)
                ended.add(f['Name'])
                if stacks.pop((f['Name'], 'M'), None):
                    wrong.append(f'{f["Name"]}: calls are open')
                if (f['Name'], 'S') in current:
                    set_state({'Container': f['Name'], 'Type': 'S'}, '')
            elif kind == 'PajePushState':
                stacks[f['Container'], f['Type']].append((known(f['Value']), now))
            elif kind == 'PajePopState':
                value, since = stacks[f['Container'], f['Type']].pop()
                if f['Type'] == 'M':
                    calls[value] += 1
                    # (a report counts the time of a call inside one of the same method once)
                    if all(v != value for v, _ in stacks[f['Container'], 'M']):
                        spent[value] += now - since
            elif kind == 'PajeSetState':
                set_state(f, f['Value'])
            elif kind == 'PajeStartLink':
                if started.setdefault(f['Key'], f) is not f:
                    wrong.append(f'{line}: the key is there already')
            elif kind == 'PajeEndLink':
                s = started.pop(f['Key'])
                if (s['Type'], s['Value']) != (f['Type'], f['Value']):
                    wrong.append(f'{line}: another link began')
                pair = known(s['StartContainer'], containers), known(f['EndContainer'], containers)
                (arrows if f['Type'] == 'A' else uses)[(known(f['Value']),) + pair if f['Type'] == 'U' else pair] += 1
            elif kind == 'PajeNewEvent':
                events[known(f['Value'])] += 1
            elif kind == 'PajeSetVariable':
                known(f['Container'], containers)
                if f['Type'] == 'W':
                    waiting[f['Container']] = int(f['Value'])
wrong += [f'link {key} has no end' for key in started]
wrong += [f'{alias} does not end' for alias in containers if alias != '0' and alias not in ended]
wrong += [f'{containers[o]}: {n} threads wait at the end' for o, n in waiting.items() if n]

report = json.load(open(sys.argv[2], encoding='utf-8'))
for m in report['methods']:
    label = f"{m['name']} [{m['full']}]" if m['full'] != m['name'] else m['name']
    if (calls[label], spent[label]) != (m['calls'], m['inclusiveNs']):
        wrong.append(f"{label}: {calls[label]} calls, {spent[label]} ns, not {m['calls']}, {m['inclusiveNs']}")
if sum(calls.values()) != report['calls']:
    wrong.append(f'{sum(calls.values())} calls')
place, lived = {}, collections.Counter()
for t in report['threads']:
    name = place[t['task'], t['thread']] = t['name'].replace('"', "'")
    if name not in containers.values():
        wrong.append(f'no thread {name}')
    for k, n in t['states'].items():
        lived[name, report['states'][k]] += n
for who in set(lived) | {k for k, n in states.items() if n and k[1] != 'Idle'}:
    if lived[who] != states[who]:
        wrong.append(f'{who}: {states[who]} ns, not {lived[who]}')
want = collections.Counter()
with open(sys.argv[3], encoding='utf-8') as prv:
    for line in prv:
        if line.startswith('3:'):
            f = [int(x) for x in line.split(':')]
            want[place[f[3], f[4]], place[f[9], f[10]]] += 1
if want != arrows:
    wrong.append(f'arrows {dict(arrows)}, not {dict(want)}')

if len(sys.argv) > 4:  # what somebody else has read
    dumped, took, links, others = collections.Counter(), collections.Counter(), 0, collections.Counter()
    with open(sys.argv[4], encoding='utf-8') as dump:
        for line in dump:
            kind, rest = line.rstrip('\n').split(', ', 1)
            if kind == 'State':
                who, of, begin, end, _, depth, value = rest.split(', ', 6)
                if of == 'Method':
                    dumped[value] += 1
                    took[value] += round(float(end) * 10**9) - round(float(begin) * 10**9)
                elif of == 'State':
                    others[who, value] += round(float(end) * 10**9) - round(float(begin) * 10**9)
            elif kind == 'Link':
                links += rest.startswith('0, arrow, ')
    if dumped != calls:
        wrong.append(f'pj_dump: calls are {dict(dumped)}')
    wrong += [f'pj_dump: {m}: {took[m]} ns, not {n}' for m, n in spent.items() if took[m] < n]
    if {k: n for k, n in others.items() if n} != {k: n for k, n in states.items() if n}:
        wrong.append(f'pj_dump: states are {dict(others)}')
    if links != sum(arrows.values()):
        wrong.append(f'pj_dump: {links} arrows')
print(f'{sum(calls.values())} calls, {sum(arrows.values())} arrows, {sum(uses.values())} uses of '
      f'{len(waiting)} objects that threads waited at')
print('\n'.join(wrong) or 'nothing is wrong')
