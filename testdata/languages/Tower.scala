// What scalac writes: anonymous classes for closures, specialised methods, lazy values, pattern matching,
// returns out of closures (by an exception), code before super(...), structural types.
sealed trait Shape { def area: Double; lazy val twice = area * 2 }
case class Circle(r: Double) extends Shape { def area = 3 * r * r }
case class Box(a: Double, b: Double) extends Shape { def area = a * b }
case object Point extends Shape { def area = 0 }
class Base(val text: String, more: => Int) { def sum = text.length + more + more }
class Derived(n: Int) extends Base(if (n > 3) "many" else { try { (12 / n).toString } catch { case e: ArithmeticException => "none" } }, { Tower.calls += 1; n })
class Counter[@specialized(Int, Long) T](val t: T) { def pair[@specialized(Int) U](u: U) = (t, u) }
trait Loud { def say = "loud" }
trait Quiet extends Loud { override def say = super.say.toLowerCase + "ly" }
object Tower {
  var calls = 0
  def first(list: List[Int]): Int = { list.foreach { n => if (n > 2) return n * 10 }; -1 }
  @annotation.tailrec def gcd(a: Int, b: Int): Int = if (b == 0) a else gcd(b, a % b)
  def describe(x: Any): String = x match {
    case s: String if s.nonEmpty => "text " + s
    case Circle(r) if r > 1 => "big circle"
    case Box(a, b) => s"box $a x $b"
    case (a, b) => "pair " + describe(a) + describe(b)
    case n: Int => n match { case 1 | 2 | 3 => "few"; case 1000 => "thousand"; case _ => "number" }
    case Seq(a, _*) => "sequence from " + a
    case _ => "else"
  }
  def guarded(n: Int): String = try { if (n == 0) throw new IllegalStateException("zero") else "fine" }
    catch { case e: IllegalStateException => e.getMessage } finally { calls += 1 }
  def main(args: Array[String]) {
    println(first(List(1, 2, 3, 4)) + " " + first(Nil) + " " + gcd(84, 36))
    println(List("a", Circle(2), Box(1, 2), (1, 1000), List(7, 8), Point).map(describe))
    println(List[Shape](Circle(1), Box(2, 3), Point).map(_.twice).sum)
    println(List(0, 1, 4).map(new Derived(_).sum) + " " + calls)
    println(new Counter(5).pair(6) + " " + new Counter("t").pair('u'))
    println((new Quiet {}).say + " " + guarded(0) + " " + guarded(1) + " " + calls)
    val thing: { def size: Int } = "structural" :: Nil
    println(thing.getClass.getName + " " + (for (i <- 1 to 4; j <- i to 4 if (i + j) % 2 == 0) yield i * j))
    println(Stream.from(1).map(n => n * n).filter(_ % 2 == 1).take(4).toList + " " + (1L to 20L).product)
    lazy val fails: Int = throw new RuntimeException("lazy")
    for (i <- 1 to 2) try println(fails) catch { case e: RuntimeException => println(i + " " + e.getMessage) }
  }
}
