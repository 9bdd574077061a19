// What scalac 3 writes: enums, extension methods, closures by invokedynamic with bridges,
// matches over unions, non-local returns, code before super(...).
import java.util.{ArrayList, TreeMap}

enum Op(val sign: String):
  case Plus extends Op("+")
  case Times extends Op("*")
  def apply(a: Int, b: Int): Int = this match
    case Plus => a + b
    case Times => a * b
sealed trait Tree
final class Leaf(val n: Int) extends Tree
final class Node(val op: Op, val left: Tree, val right: Tree) extends Tree
class Base(val text: String):
  def shout: String = { Tower3.made += 1; text.toUpperCase.nn + "!" }
class Derived(n: Int, more: => Int) extends Base(if n > 3 then "many" + more else { try Integer.toString(12 / n) catch { case e: ArithmeticException => "none" + more } })
trait Named:
  def name: String
  private val cached = Tower3.guarded(1)
  def twice = name + name + cached
trait Loud extends Named:
  abstract override def name: String = super.name + "!"
class Cat extends Named { def name = "cat" }
class LoudCat extends Cat, Loud
opaque type Meters = Double
object Meters { def apply(d: Double): Meters = d; extension (m: Meters) def show: String = java.lang.Double.toString(m) + "m" }

object Tower3:
  var made = 0
  def value(t: Tree): Int = t match
    case l: Leaf if l.n > 100 => throw new IllegalArgumentException("leaf " + l.n)
    case l: Leaf => l.n
    case n: Node => n.op(value(n.left), value(n.right))
  def describe(x: String | Int | Null): String = x match
    case null => "null"
    case "a" | "b" => "letter"
    case s: String => "text " + s
    case 1 | 2 => "few"
    case n: Int => "number " + n
  inline def power(x: Int, inline n: Int): Int = inline if n == 0 then 1 else x * power(x, n - 1)
  extension (i: Int) inline def twice: Int = i * 2
  def find(limit: Int)(f: Int => Boolean): Int =
    var i = 0
    while i < limit do { if f(i) then return i; i += 1 }
    -1
  def guarded(n: Int): String =
    try { if n == 0 then throw new IllegalStateException("zero"); "fine" }
    catch { case e: IllegalStateException => e.getMessage.nn } finally made += 100
  @annotation.tailrec def gcd(a: Int, b: Int): Int = if b == 0 then a else gcd(b, a % b)
  def twiceBy(using n: Int) = n * 2
  def main(args: Array[String]): Unit =
    val out = System.out.nn
    val tree = new Node(Op.Plus, new Node(Op.Times, new Leaf(6), new Leaf(7)), new Leaf(8))
    out.println("" + value(tree) + " " + Op.valueOf("Plus").sign + " " + Op.Times.ordinal + " " + Op.values.length)
    out.println(try value(new Node(Op.Plus, new Leaf(1), new Leaf(101))) catch { case e: IllegalArgumentException => e.getMessage })
    val list = new ArrayList[String]
    list.add(describe(null) + describe("a") + describe("zz") + describe(1) + describe(77))
    out.println(list)
    out.println("" + (power(3, 4)) + " " + 5.twice + " " + (find(10)(n => n * n > 20)) + " " + (find(3)(_ > 5)) + " " + (gcd(84, 36)) + " " + guarded(0) + " " + guarded(1) + " " + made)
    val b = new Derived(0, { made += 7; made })
    out.println("" + (new Derived(4, 1).text) + " " + (new Derived(3, 1).text) + " " + b.text + " " + b.shout + " " + b.shout + " " + made)
    out.println(new LoudCat().twice + Meters(2.5).show + twiceBy(using 21))
    val counts = new TreeMap[String, Int]
    var n = 0
    while n < 5 do { counts.merge(if n % 2 == 0 then "even" else "odd", 1, (a, b) => a + b); n += 1 }
    out.println(counts)
    lazy val fails: Int = throw new RuntimeException("lazy")
    n = 0
    while n < 2 do { try out.println(fails) catch { case e: RuntimeException => out.println(e.getMessage) }; n += 1 }
