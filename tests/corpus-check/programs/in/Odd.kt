sealed interface S { data class A(val n: Int) : S; object B : S }
suspend fun s(n: Int): Int = if (n > 3) s(n - 1) + 1 else n
inline fun <reified T> has(l: List<Any>) = l.filterIsInstance<T>().size
class D(val x: Int = 3, y: String = try { "a".repeat(x) } catch (e: Exception) { "b" }) : Exception(y) { val z by lazy { x * 2 } }
fun f(s: S) = when (s) { is S.A -> s.n; S.B -> sequence { yield(1); yieldAll(listOf(2, 3)) }.sum() }
fun main() { println(listOf(S.A(2), S.B).map(::f)); println(has<String>(listOf("a", 1))); println(D().z) }
