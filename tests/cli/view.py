"""view.py PAGE REPORT: what a page of `jweave view` holds, unpacked here by the words of trace/view/view.h, against
the JSON of `jweave report`. Prints calls and arrows, and what is wrong."""
import base64
import json
import re
import sys
import zlib

SECTION = re.compile(rb'<script type="application/x-jweave" data-section="([a-z0-9.]+)">([^<]*)</script>')
wrong = []


def must(that, what):
    if not that:
        wrong.append(what)


class Numbers:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def __call__(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text(self):
        n = self()
        self.at += n
        return self.data[self.at - n:self.at].decode()

    def column(self, n):
        return [self() for _ in range(n)]


def track(c):
    n = c()
    gaps, lengths, whats = c.column(n), c.column(n), c.column(n)
    sums = [i for i in range(n) if whats[i] & 1]
    counts, busy = c.column(len(sums)), c.column(len(sums))
    counts, busy = dict(zip(sums, counts)), dict(zip(sums, busy))
    spans, time = [], 0
    for i in range(n):
        begin = time + gaps[i]
        time = begin + lengths[i]
        spans.append((begin, time, whats[i] >> 2, counts.get(i, 1), busy.get(i, lengths[i]), whats[i] >> 1 & 1))
    return spans


def read(page):
    sections = {}
    for name, text in SECTION.findall(open(page, 'rb').read()):
        sections[name.decode()] = sections.get(name.decode(), b'') + zlib.decompress(base64.b64decode(text, validate=True))
    return sections


def methods(rows, n):
    """Calls, total, self of each method, by the spans alone."""
    sums = [[0, 0, 0, 0] for _ in range(n + 1)]
    for lines in rows:
        for level, spans in enumerate(lines[1:], 1):
            for begin, end, what, count, busy, failed in spans:
                sums[what][0] += count
                sums[what][2] += busy
                sums[what][3] += failed
                over = [above for line in lines[1:level] for above in line if above[0] <= begin and end <= above[1]]
                if not any(above[2] == what for above in over):
                    sums[what][1] += busy
                if over:
                    sums[over[-1][2]][2] -= busy
    return sums[1:]


def timeline(sections, report):
    c = Numbers(sections['index'])
    must(c() == 2, 'version')
    end, least, _, deeper = c(), c(), c(), c()
    must(end == report.get('beginNs', 0) + report['durationNs'], 'duration')
    must(least == 0 and deeper == 0, 'a small run is not summed up')
    rows = []
    for i in range(c()):
        process, _, section, at, lines, spans = (c() for _ in range(6))
        must(process + 1 == report['threads'][i]['task'], f'process of row {i}')
        row = Numbers(sections[f'rows.{section}'], at)
        rows.append([track(row) for _ in range(lines)])
        must(sum(map(len, rows[-1])) == spans, f'spans of row {i}')
    pauses, processes = 0, []
    for _ in range(c()):
        c(), c()
        role, host, job = c.text(), c.text(), c.text()
        began, ended, cpu = c(), c(), c()
        must(began <= ended <= end, 'life of a process')
        processes.append((role, host, job))
        pauses += sum(span[4] for span in track(c))
    must(pauses == report['gcPauses']['ns'], 'pauses')
    must(c() == 0 and c.at == len(sections['index']), 'the end of the index')
    for row, thread in zip(rows, report['threads']):
        must(sum(span[3] for line in row[1:] for span in line) == thread['calls'], f"calls of {thread['name']}")
        states = {}
        for span in row[0]:
            states[str(span[2])] = states.get(str(span[2]), 0) + span[4]
        must(states == {s: ns for s, ns in thread['states'].items() if s != '0'}, f"states of {thread['name']}")
    return rows


def single_calls(sections, held, rows):
    """The longest calls and how long they took; not of a range that cuts some, whose durations nobody knows."""
    c = Numbers(sections['longest'])
    must(c() == len(held['methods']), 'longest')
    for m in held['methods']:
        calls = [c.column(4) for _ in range(c())]
        must(len(calls) == min(10, m['calls']) and calls[0][3] == m['longestNs'], f"longest of {m['name']}")
        for row, level, begin, ns in calls:
            must(any(s[0] == begin and s[1] == begin + ns for s in rows[row][level + 1]), f"a call of {m['name']}")
    c = Numbers(sections['durations'])
    must(c() == len(held['methods']), 'durations')
    for number, m in enumerate(held['methods'], 1):
        took = sorted(s[1] - s[0] for row in rows for line in row[1:] for s in line if s[2] == number)
        n, least, marks, first, bars = c(), c(), c.column(4), c(), c.column(c())
        must(n == m['calls'] == sum(bars) and least == took[0], f"durations of {m['name']}")
        for mark, mille in zip(marks, (500, 900, 990, 999)):
            true = took[-(-mille * n // 1000) - 1]
            must(mark == true if n <= 128 else abs(mark - true) <= true / 50 + 1, f"p{mille} of {m['name']}")


def main(page, report):
    sections, report = read(page), json.load(open(report))
    held, about = json.loads(sections['report']), json.loads(sections['about'])
    must(held['durationNs'] == report['durationNs'], 'duration of the report')
    key = lambda m: (m['name'], m['full'])
    must(sorted(held.pop('methods'), key=key) == sorted(report['methods'], key=key), 'methods')
    for part in held:
        must(held[part] == report[part], part)
    held = json.loads(sections['report'])
    must(about['title'] in ('shop', 'packed', 'sums', 'a <b> & "c"'), 'title')
    if 'index' not in sections:
        print('no timeline')
    else:
        rows = timeline(sections, report)
        for m, (calls, total, own, failed) in zip(held['methods'], methods(rows, len(held['methods']))):
            must((calls, total, own, failed) == (m['calls'], m['inclusiveNs'], m['exclusiveNs'], m.get('exceptional', 0)),
                 f"{m['name']}: {calls} {total} {own} {failed}")
        if 'cut' not in report:
            single_calls(sections, held, rows)
        c = Numbers(sections['tree'])
        n = c()
        c.column(2 * n)
        must(sum(c.column(n)) == report['calls'], 'calls of the tree')
        must(sum(c.column(n)) == sum(m['exclusiveNs'] for m in report['methods']), 'time of the tree')
        print(sum(t['calls'] for t in report['threads']), 'calls,', Numbers(sections['arrows'])(), 'arrows')
    print('\n'.join(wrong) or 'nothing is wrong')


main(*sys.argv[1:])
