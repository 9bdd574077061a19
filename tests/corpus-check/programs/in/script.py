import re, sys
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
print([x for x in gen(12)], sorted([A(3), A(1)], key=lambda a: a.n))
print(re.findall(r'(\w+)=(\d+)', 'a=1 b=22 c=x'))
from java.util import TreeMap
m = TreeMap(); m.put('k', 1); print(m)
try: 1 / 0
except ZeroDivisionError as e: print(e)
