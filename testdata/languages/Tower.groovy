// What groovyc writes: call sites cached in arrays, closures, meta classes, several super(...) calls in one constructor.
import groovy.transform.*

@Canonical class Person { String name; int age }
class Base { String how; Base(int n) { how = "int $n" }; Base(String s) { how = "text $s" } }
class Derived extends Base {
	Derived(Object x) { super(x) }
	Derived(int a, int b) { this(a + b as Object) }
	def methodMissing(String name, args) { "$name(${args.join(',')})" }
}
@CompileStatic class Quick {
	static long fib(int n) { n < 2 ? n : fib(n - 1) + fib(n - 2) }
	static int find(List<Person> all) { int s = 0; for (Person p : all) { try { if (p.age == 0) continue; s += 100.intdiv(p.age) as int } finally { s++ } }; s }
}
trait Loud { String say() { "loud ${name()}" }; abstract String name() }
class Speaker implements Loud { String name() { 'speaker' } }

def people = (1..20).collect { new Person("p$it", it * 7 % 13) }
println people.groupBy { it.age % 3 }.collectEntries { k, v -> [k, v*.name] }
println "${Quick.find(people)} ${Quick.fib(15)}"
println "${new Derived(3).how} ${new Derived('x').how} ${new Derived(1, 2).how} ${new Derived(1).anything(1, 'b')}"
try { people.nothing() } catch (MissingMethodException e) { println e.message.readLines()[0] }
def fib
fib = { n -> n < 2 ? n : fib(n - 1) + fib(n - 2) }.memoize()
println fib(60)
String.metaClass.shout = { -> delegate.toUpperCase() + '!' }
println 'abc'.shout() + ' ' + new Speaker().say()
def out = []
for (x in [1, 'two', 3.0, null, [4], 5..7]) switch (x) {
	case Integer: out << "int $x"; break
	case ~/t.*/: out << "like $x"; break
	case [4]: out << 'list'; break
	case null: out << 'null'; break
	default: out << x?.getClass()?.simpleName
}
println out
def tree = new NodeBuilder().a { b(n: 1); c { d('text') } }
println tree.depthFirst().collect { it instanceof Node ? it.name() : it }
label: for (i in 0..5) for (j in 0..5) { if (i * j == 6) { println "$i $j"; break label } }
