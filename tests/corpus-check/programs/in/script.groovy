import groovy.transform.*
@Canonical class P { String n; int a }
@CompileStatic int sum(List<P> l) { int s = 0; for (P p : l) s += p.a; s }
def ps = (1..20).collect { new P("p$it", it * 7 % 13) }
println ps.groupBy { it.a % 3 }.collectEntries { k, v -> [k, v*.n] }
println sum(ps)
try { ps.nothing() } catch (MissingMethodException e) { println e.message.readLines()[0] }
def fib; fib = { n -> n < 2 ? n : fib(n - 1) + fib(n - 2) }.memoize()
println fib(60)
String.metaClass.shout = { -> delegate.toUpperCase() }
println 'abc'.shout()
