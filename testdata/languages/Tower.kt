// What kotlinc writes: suspend functions as state machines (values stay on the stack over a return), code before
// super(...), default arguments behind bridges, finally blocks copied by inlining, interfaces with DefaultImpls.
import kotlin.coroutines.*
import kotlin.coroutines.intrinsics.*

sealed interface Shape { val area: Int; fun twice(): Int = area * 2 }
data class Box(val a: Int, val b: Int = a) : Shape { override val area get() = a * b }
object Point : Shape { override val area = 0 }
open class Base(val text: String) { companion object { var made = 0 } init { made++ } }
class Derived(n: Int, more: String = if (n > 3) "many" else try { (12 / n).toString() } catch (e: ArithmeticException) { "none" }) : Base(more + n) {
    constructor(s: String?) : this(s?.length ?: 0)
}
class Step(var left: Int) { var waiting: Continuation<Int>? = null }

suspend fun pause(step: Step): Int = suspendCoroutineUninterceptedOrReturn { c ->
    if (step.left-- > 0) { step.waiting = c; COROUTINE_SUSPENDED } else -1
}
suspend fun sum(step: Step, n: Int): Int {
    var s = 0
    for (i in 0 until n) {
        try { s = s * 10 + pause(step) + pause(step) * i } catch (e: IllegalStateException) { s += 1000 } finally { s++ }
    }
    return s
}
suspend fun tail(step: Step, n: Int): Int = if (n == 0) pause(step) else tail(step, n - 1)
inline fun <reified T> isA(x: Any): Boolean = x is T
inline fun guarded(name: String, body: () -> Int): Int = try { body() } finally { println("leaves $name") }
fun find(n: Int): Int { guarded("outer") { guarded("inner") { if (n > 2) return n * 10; n } }; return -n }
fun describe(x: Any?): String = when (x) {
    null -> "null"
    is Box -> "box " + x.a + "x" + x.b
    "a", "bb" -> "known text"
    is String -> when (x) { "Aa" -> "1"; "BB" -> "2"; else -> x + x }
    is Int -> if (x in 1..9) "digit" else "number"
    else -> x.javaClass.simpleName
}
fun defaults(a: Int = 1, b: String = "b$a", c: (Int) -> Int = { it + a }): String = b + c(a)
tailrec fun gcd(a: Int, b: Int): Int = if (b == 0) a else gcd(b, a % b)

fun main() {
    println("" + Box(3) + Box(2, 5).copy(b = 6).twice() + " " + Point.twice() + (Box(1) == Box(1, 1)))
    println(Derived(0).text + " " + Derived(4).text + " " + Derived("abc").text + " " + Derived(null as String?).text + " " + Base.made)
    for (x in arrayOf(null, Box(1, 2), "a", "BB", "Aa", "zz", 5, 50, Point)) println(describe(x))
    println(defaults() + defaults(2) + defaults(3, c = { it * it }) + gcd(84, 36) + isA<String>("x") + isA<Int>("x"))
    println("" + find(1) + " " + find(3))
    val step = Step(6)
    var result: Any? = "nothing yet"
    val done = object : Continuation<Int> {
        override val context get() = EmptyCoroutineContext
        override fun resumeWith(r: Result<Int>) { result = r.getOrNull() ?: r.exceptionOrNull() }
    }
    val begin: suspend () -> Int = { sum(step, 4) + tail(step, 3) }
    begin.startCoroutine(done)
    var resumed = 0
    while (true) {
        val c = step.waiting ?: break
        step.waiting = null
        if (++resumed == 3) c.resumeWithException(IllegalStateException("third")) else c.resume(resumed)
    }
    println("$resumed $result")
    val local by lazy { resumed * 2 }
    println(local + local)
    outer@ for (i in 0..4) { for (j in i downTo 0 step 2) { if (i * j == 8) { println("$i $j"); break@outer }; if (j == 1) continue@outer } }
    println(try { lateText() } catch (e: UninitializedPropertyAccessException) { "not initialised" })
}
private lateinit var late: String
fun lateText() = late.uppercase()
