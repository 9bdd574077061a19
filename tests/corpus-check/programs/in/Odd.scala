sealed trait S; case class A(n: Int) extends S; case object B extends S
class D(x: Int, y: String = "d") extends Exception(if x > 3 then y else { try y.toInt.toString catch { case e: Exception => "bad" } })
object Odd:
  lazy val z = List(1, 2, 3).map(_ * 2).foldLeft(0)(_ + _)
  def f(s: S): Int = s match { case A(n) if n > 2 => n; case A(_) => 0; case B => z }
  extension (i: Int) inline def twice: Int = i * 2
  given Ordering[S] = Ordering.by(f)
  def main(a: Array[String]): Unit = println(List(A(3), B, A(1)).sorted.map(f(_).twice))
