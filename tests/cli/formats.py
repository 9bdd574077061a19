"""formats.py FORMAT FILE REPORT.json [BY]: reads what `jweave export FORMAT` wrote, by the format alone, and compares
it with what `jweave report --json` says: calls and times by method, threads, arrows. Prints what is in it, and whatever
is wrong."""
import collections
import json
import sys

form, path = sys.argv[1:3]
with open(sys.argv[3], encoding='utf-8') as file:
    report = json.load(file)
by = sys.argv[4] if len(sys.argv) > 4 else 'self'
with open(path, 'rb') as file:
    text = file.read().decode('utf-8', 'strict')
wrong = []


def same(what, got, want):
    got, want = {k: v for k, v in got.items() if v}, {k: v for k, v in want.items() if v}
    for key in sorted(set(got) | set(want)):
        if got.get(key) != want.get(key):
            wrong.append(f'{what} of {key!r}: {got.get(key)}, the report has {want.get(key)}')


def place(full):
    """The long form of a label, without the source; or the label, where it is all."""
    inside = full[full.find(' [') + 2:-1] if ' [' in full and full.endswith(']') else full
    closed = inside.find(')')
    blank = inside.rfind(' ')
    return inside[:blank] if closed >= 0 and blank > closed else inside


def by_method(value):
    sums = collections.Counter()
    for m in report['methods']:
        sums[place(m['full'])] += value(m)
    return sums


many = len({t['task'] for t in report['threads']}) > 1


def thread_name(t):
    return t['name'] + (f" (process {t['task']})" if many and form == 'speedscope' else '')


calls, own, total = collections.Counter(), collections.Counter(), collections.Counter()
threads = collections.Counter()


def walk(events, thread):
    """Events of one thread: (opens, time, method)."""
    stack, inside = [], collections.Counter()
    last = 0
    for opens, time, method in events:
        if time < last:
            wrong.append(f'{thread}: time goes back to {time}')
        if stack:
            own[stack[-1][0]] += time - last
        last = time
        if opens:
            calls[method] += 1
            threads[thread] += 1
            inside[method] += 1
            stack.append((method, time))
        elif not stack or stack[-1][0] != method:
            wrong.append(f'{thread}: {method} ends, and is not the innermost')
        else:
            inside[method] -= 1
            begun = stack.pop()[1]
            if not inside[method]:
                total[method] += time - begun
    if stack:
        wrong.append(f'{thread}: {len(stack)} calls do not end')


if form == 'speedscope':
    data = json.loads(text)
    frames = data['shared']['frames']
    for profile in data['profiles']:
        at = [e['at'] for e in profile['events']]
        if at and (at[0] < profile['startValue'] or at[-1] > profile['endValue']):
            wrong.append(f"{profile['name']}: events outside of it")
        walk([(e['type'] == 'O', e['at'], place(frames[e['frame']]['name'])) for e in profile['events']], profile['name'])
elif form == 'chrome':
    rows, slices = {}, collections.defaultdict(list)
    sent, reached, states = collections.Counter(), collections.Counter(), collections.Counter()
    for e in json.loads(text, parse_float=lambda t: round(float(t) * 1000) / 1000)['traceEvents']:
        row = e['pid'], e['tid']
        if e['ph'] == 'M':
            rows[row] = e['args']['name'] if e['name'] == 'thread_name' else rows.get(row)
        elif e['ph'] == 'X':
            begin = round(e['ts'] * 1000)
            end = begin + round(e['dur'] * 1000)
            if e['cat'] == 'call':
                slices[row].append((begin, end, e['args']['method']))
            elif e['cat'] == 'state':
                states[e['name']] += end - begin
        elif e['ph'] in 'sf':
            (sent if e['ph'] == 's' else reached)[e['id']] += 1
            if e['ph'] == 'f' and e['bp'] != 'e':
                wrong.append('an arrow that does not end in its slice')
    if sent != reached or any(n > 1 for n in sent.values()):
        wrong.append('arrows that are sent are not those that are received')
    for row, list_ in slices.items():
        for begin, end, method in list_:
            calls[method] += 1
            threads[rows[row]] += 1
    want = collections.Counter()
    for t in report['threads']:
        for number, ns in t['states'].items():
            if number not in '02':
                want[report['states'][number]] += ns
    same('time in state', states, want)
    print(len(sent), 'arrows')
else:
    sums, count = collections.Counter(), 0
    for line in text.split('\n')[:-1]:
        stack, _, number = line.rpartition(' ')
        names = stack.split(';')
        sums[names[-1]] += int(number)
        threads[names[0]] += int(number)
        count += 1
    value = {'self': lambda m: m['exclusiveNs'], 'calls': lambda m: m['calls'] - m.get('cut', {}).get('before', 0),
             'exceptions': lambda m: m['exceptional'],
             'total': None}.get(by, lambda m: m['selfNs'][by])
    if value:
        same(by, sums, collections.Counter({k.replace(';', ','): v for k, v in by_method(value).items()}))
    if by == 'calls':
        want = collections.Counter()
        for t in report['threads']:
            want[thread_name(t)] += t['calls']
        same('calls', threads, want)
    print(count, 'stacks')
if form != 'collapsed':
    same('calls', calls, by_method(lambda m: m['calls']))
    want = collections.Counter()
    for t in report['threads']:
        want[thread_name(t)] += t['calls']
    same('calls in thread', threads, want)
    print(sum(calls.values()), 'calls')
if form == 'speedscope':
    same('time', total, by_method(lambda m: m['inclusiveNs']))
    same('own time', own, by_method(lambda m: m['exclusiveNs']))
for line in wrong[:20]:
    print(line)
print('nothing is wrong' if not wrong else f'{len(wrong)} things are wrong')
