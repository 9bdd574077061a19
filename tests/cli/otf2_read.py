"""otf2_read.py ARCHIVE REPORT.json TRACE.prv: reads what `jweave export otf2` wrote by python3-otf2, holds it
against what `jweave report` and the .prv of the same run say, and prints what is in it and what is wrong."""
import collections
import json
import sys

import otf2
from otf2.events import (Enter, IoOperationComplete, Leave, Metric, MpiRecv, MpiSend, ThreadAcquireLock,
                         ThreadReleaseLock)

BYTES = ('io', 'read'), ('io', 'write')  # (others count characters)
wrong = []
calls, failed, spent = collections.Counter(), collections.Counter(), collections.Counter()
stacks, clocks, states, since = collections.defaultdict(list), {}, collections.Counter(), {}
sent, received = collections.Counter(), collections.Counter()
transferred, held, taken = collections.Counter(), {}, collections.Counter()

with otf2.reader.open(sys.argv[1]) as trace:
    locations = list(trace.definitions.locations)
    place = {location: i for i, location in enumerate(locations)}
    about = {m.name: m.description for m in trace.definitions.metric_members}
    for location, event in trace.events:
        stack = stacks[location]
        if event.time < clocks.get(location, 0):
            wrong.append(f'{location.name}: time goes back')
        clocks[location] = event.time
        if isinstance(event, Enter):
            stack.append((event.region, event.time))
        elif isinstance(event, Leave):
            region, began = stack.pop()
            if region != event.region:
                wrong.append(f'{region.name} is left as {event.region.name}')
            full = region.canonical_name
            if region.source_file:
                full += f' {region.source_file}:{region.begin_line_number}'
            calls[full] += 1
            failed[full] += bool(event.attributes)
            # (a report counts the time of a call inside one of the same method once)
            if all(r != region for r, _ in stack):
                spent[full] += event.time - began
        elif isinstance(event, Metric):
            name = event.member.name if hasattr(event, 'member') else event.metric.members[0].name
            value = event.value if hasattr(event, 'value') else event.values[0]
            if about[name].startswith('state'):
                if value:
                    since[location, name] = event.time
                else:
                    states[place[location], name] += event.time - since.pop((location, name))
        elif isinstance(event, MpiSend):
            sent[place[location], event.receiver] += 1
        elif isinstance(event, MpiRecv):
            received[event.sender, place[location]] += 1
        elif isinstance(event, IoOperationComplete):
            transferred[place[location]] += event.bytes_result
        elif isinstance(event, ThreadAcquireLock):
            taken[event.lock_id] += 1
            if event.lock_id in held or event.acquisition_order != taken[event.lock_id]:
                wrong.append(f'lock {event.lock_id} is taken twice')
            held[event.lock_id] = location
        elif isinstance(event, ThreadReleaseLock):
            if held.pop(event.lock_id, None) != location:
                wrong.append(f'lock {event.lock_id} is let go by who does not hold it')
wrong += [f'{location.name}: {len(s)} calls are open' for location, s in stacks.items() if s]
wrong += [f'{location.name}: {name} has no end' for location, name in since]

report = json.load(open(sys.argv[2], encoding='utf-8'))
for m in report['methods']:
    is_now = calls.pop(m['full'], 0), failed[m['full']], spent[m['full']]
    if is_now != (m['calls'], m['exceptional'], m['inclusiveNs']):
        wrong.append(f"{m['full']}: calls, failed, ns are {is_now}")
wrong += [f'{name}: nobody knows it' for name in calls]
if [t['name'] for t in report['threads']] != [location.name for location in locations]:
    wrong.append(f'the threads are {[location.name for location in locations]}')
for i, t in enumerate(report['threads']):
    is_now = {report['states'][k]: ns for k, ns in t['states'].items()}
    if is_now != {name: ns for (p, name), ns in states.items() if p == i}:
        wrong.append(f"{t['name']}: states are not {is_now}")
    if transferred[i] != sum(o['bytes'] for o in t['operations'] if (o['type'], o['name']) in BYTES):
        wrong.append(f"{t['name']}: {transferred[i]} bytes")
arrows = collections.Counter()
first = {}
for i, t in enumerate(report['threads']):
    first[t['task'], t['thread']] = i
with open(sys.argv[3], encoding='utf-8') as prv:
    for line in prv:
        if line.startswith('3:'):
            f = [int(x) for x in line.split(':')]
            arrows[first[f[3], f[4]], first[f[9], f[10]]] += 1
if not arrows == sent == received:
    wrong.append(f'arrows {dict(arrows)}, sent {dict(sent)}, received {dict(received)}')
print(f"{report['calls']} calls, {sum(arrows.values())} arrows, {sum(transferred.values())} bytes, "
      f'{sum(taken.values())} locks taken')
print('\n'.join(wrong) or 'nothing is wrong')
