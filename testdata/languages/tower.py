# What Jython's compiler writes: a class a file, functions by number, generators that are entered in the middle by a switch.
import re
class A(object):
    def __init__(self, n): self.n = n
    def __repr__(self): return 'A(%d)' % self.n
def gen(n):
    for i in range(n):
        try:
            if i % 3 == 0: raise ValueError(i)
            yield i
        except ValueError as e:
            yield -e.args[0]
        finally:
            pass
print([x for x in gen(12)], sorted([A(3), A(1)], key=lambda a: a.n))
print(re.findall(r'(\w+)=(\d+)', 'a=1 b=22 c=x'))
from java.util import TreeMap
m = TreeMap(); m.put('k', 1); print(m)
try: 1 / 0
except ZeroDivisionError as e: print(e)
def outer(n):
    def inner(m, *rest, **named): return n * m + len(rest) + named.get('k', 0)
    return inner
print(outer(3)(4), outer(3)(4, 5, 6, k=10), dict((k, v) for k, v in zip('abc', range(3))) == {'a': 0, 'b': 1, 'c': 2})
with open('/dev/null') as f: print(f.read() == '')
