"""perfetto.py TRACE REPORT.json [tasks|contexts|requests]: reads what `jweave export perfetto` wrote, by the format alone, and
prints what is in it: calls and their time by method, threads, flows, and whatever is wrong. tasks: those of an
engine alone, each with its thread, begin and length, attempt, and why it took longer. contexts: how many calls have
which ids of OpenTelemetry, and where these were current. requests: those on connections, with all that is said of
them."""
import collections
import gzip
import json
import sys


def varint(b, at):
    value = shift = 0
    while True:
        byte = b[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(b):
    at = 0
    while at < len(b):
        key, at = varint(b, at)
        form = key & 7
        if form == 0:
            value, at = varint(b, at)
        else:
            size = 8
            if form == 2:
                size, at = varint(b, at)
            elif form != 1:
                raise SystemExit(f'form {form} of field {key >> 3}')
            value = b[at:at + size]
            if len(value) != size:
                raise SystemExit('cut short')
            at += size
        yield key >> 3, value


def one(b):
    return dict(fields(b))


def read(path):
    with open(path, 'rb') as file:
        b = file.read()
    if b[:2] == b'\x1f\x8b':
        b = gzip.decompress(b)
    for number, packet in fields(b):
        if number != 1:
            raise SystemExit(f'field {number} in a trace')
        yield packet


# what a number means is said once in each sequence, and times are counted on
clock, track_of, names = collections.defaultdict(int), {}, collections.defaultdict(dict)
tracks, parents, wrong = {}, {}, []
called, tasks, requests = {}, [], []
contexts = collections.Counter()
opened = collections.defaultdict(list)
calls, total, flows = collections.Counter(), collections.Counter(), collections.Counter()
for packet in read(sys.argv[1]):
    p = one(packet)
    sequence = p[10]
    if 60 in p:
        track = one(p[60])
        parents[track[1]] = track.get(5)
        called[track[1]] = track.get(2)
        if 4 in track:
            tracks[track[1]] = one(track[4])[5].decode('utf-8')
    if 59 in p:
        event = one(p[59]).get(11)
        if event is not None:
            track_of[sequence] = one(event)[11]
    if 12 in p:
        for kind, entry in fields(p[12]):
            e = one(entry)
            names[sequence, kind][e[1]] = e.get(2, b'')
    if 11 not in p:
        continue
    clock[sequence] += p.get(8, 0) if 58 not in p else 0
    now, event = p.get(8, 0) if 58 in p else clock[sequence], one(p[11])
    track = event.get(11, track_of.get(sequence))
    if track is None:
        wrong.append('an event without a track')
        continue
    if event[9] == 1:
        event['notes'] = [one(v) for n, v in fields(p[11]) if n == 4]
        opened[track].append((now, event, sequence))
    elif event[9] == 2:
        if not opened[track]:
            wrong.append(f'track {track}: an end of nothing')
            continue
        began, e, s = opened[track].pop()
        if called.get(track) == b'tasks':
            tasks.append((names[s, 2][e[10]].decode('utf-8'), track, began, now - began, s, e['notes']))
        said = {names[s, 3].get(n.get(1), n.get(10)): n[6] if 6 in n else names[s, 29].get(n.get(17)) for n in e['notes']}
        if b'trace_id' in said:
            where = tracks[parents[track]] if called.get(track) == b'trace context' else names[s, 2][e[10]].decode('utf-8')
            contexts[said[b'trace_id'].decode(), said[b'span_id'].decode(), where] += 1
        on = (called.get(track) or b'').decode('utf-8')
        if on.startswith(('asks ', 'answers at ')):
            requests.append((began, f"{on}: {e[23].decode('utf-8')} at {began} for {now - began}" + ''.join(
                f"; {n[10].decode('utf-8')}: {n[6].decode('utf-8') if 6 in n else n[3]}" for n in e['notes'])))
        if 34 in e:
            name = names[s, 2][e[10]].decode('utf-8')
            calls[name] += 1
            total[name] += now - began
    for number, value in fields(p[11]):
        if number in (47, 48):
            flows[value] += 1
wrong += [f'track {t}: {len(o)} slices are open at the end' for t, o in opened.items() if o]
wrong += [f'a flow of {n} ends' for n in flows.values() if n != 2]
wrong += [f'track {t} has no parent {p}' for t, p in parents.items() if p is not None and p not in parents]

if sys.argv[3:] == ['contexts']:
    for key, n in sorted(contexts.items()):
        print(*key, n)
    print('\n'.join(wrong) or 'nothing is wrong')
    raise SystemExit

if sys.argv[3:] == ['requests']:
    print('\n'.join([text for _, text in sorted(requests)] + (wrong or ['nothing is wrong'])))
    raise SystemExit

if len(sys.argv) > 3:
    for name, track, began, length, s, notes in tasks:
        said = {n[10].decode('utf-8'): names[s, 29][n[17]].decode('utf-8') if 17 in n else n.get(3, n.get(2)) for n in notes
                if 10 in n}
        print(f"{name} on {tracks[parents[track]]} at {began} for {length}: {said.get('recordsIn')} records in"
              + ''.join(f', {key}' for key in ('failed', 'did not end') if key in said)
              + (f"; {said['took longer, because']}" if 'took longer, because' in said else ''))
    print('\n'.join(wrong) or 'nothing is wrong')
    raise SystemExit

report = json.load(open(sys.argv[2]))
want, spent = collections.Counter(), collections.Counter()
for m in report['methods']:
    want[m['name']] += m['calls']
    spent[m['name']] += m['inclusiveNs']
for name in sorted(set(calls) | set(want)):
    if calls[name] != want[name]:
        wrong.append(f'{name}: {calls[name]} calls, not {want[name]}')
    # (a report counts the time of a call inside one of the same method once)
    elif total[name] < spent[name]:
        wrong.append(f'{name}: {total[name]} ns, not {spent[name]}')
lost = [t['name'] for t in report['threads'] if t['name'] not in tracks.values()]
wrong += [f'no thread {name}' for name in lost]
print(f'{sum(calls.values())} calls, {len(flows)} flows')
print('\n'.join(wrong) or 'nothing is wrong')
