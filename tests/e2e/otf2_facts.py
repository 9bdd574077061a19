"""otf2_facts.py ARCHIVE...: what python3-otf2 reads in each archive of `jweave export otf2`, one JSON object a line:
calls, ns and own ns by method, threads, ns in states by thread, arrows by threads; what is wrong."""
import collections
import json
import sys

import otf2
from otf2.events import Enter, Leave, Metric, MpiRecv, MpiSend


def facts(path):
    calls, total, own = collections.Counter(), collections.Counter(), collections.Counter()
    states, since, stacks, wrong = {}, {}, collections.defaultdict(list), []
    sent, received = collections.Counter(), collections.Counter()
    with otf2.reader.open(path) as trace:
        locations = list(trace.definitions.locations)
        names = [location.name for location in locations]
        about = {m.name: m.description for m in trace.definitions.metric_members}
        for location, event in trace.events:
            stack = stacks[location]
            if isinstance(event, Enter):
                stack.append([event.region, event.time, 0])
            elif isinstance(event, Leave):
                region, begin, inside = stack.pop()
                ns = event.time - begin
                full = region.canonical_name
                if region.source_file:
                    full += f' {region.source_file}:{region.begin_line_number}'
                calls[full] += 1
                own[full] += ns - inside
                if all(r != region for r, _, _ in stack):
                    total[full] += ns
                if stack:
                    stack[-1][2] += ns
            elif isinstance(event, Metric):
                name = event.member.name if hasattr(event, 'member') else event.metric.members[0].name
                value = event.value if hasattr(event, 'value') else event.values[0]
                if not about[name].startswith('state'):
                    continue
                if value:
                    since[location, name] = event.time
                else:
                    of = states.setdefault(location.name, collections.Counter())
                    of[name] += event.time - since.pop((location, name))
            elif isinstance(event, MpiSend):
                sent[f'{location.name} > {names[event.receiver]}'] += 1
            elif isinstance(event, MpiRecv):
                received[f'{names[event.sender]} > {location.name}'] += 1
    if sent != received:
        wrong.append('an arrow has one end')
    wrong += [f'{location.name}: calls are open' for location, s in stacks.items() if s]
    wrong += [f'{location.name}: {name} has no end' for location, name in since]
    return {'calls': calls, 'total': total, 'own': own, 'threads': sorted(names), 'states': states, 'arrows': sent,
            'wrong': wrong}


for archive in sys.argv[1:]:
    print(json.dumps(facts(archive)))
