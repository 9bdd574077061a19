require 'set'
require 'json'
require 'digest'
require 'stringio'

class Shape
  include Comparable
  attr_reader :name
  def initialize(name) = @name = name
  def <=>(other) = area <=> other.area
  def to_s = "#{self.class.name.downcase} #{name}: #{'%.3f' % area}"
end
class Circle < Shape
  def initialize(name, r)
    super(name)
    @r = r
  end
  def area = Math::PI * @r**2
end
class Box < Shape
  def initialize(name, a, b)
    super(name)
    @a, @b = a, b
  end
  def area = @a * @b
end

puts [Circle.new('c', 1.5), Box.new('b', 2, 3), Circle.new('d', 0.5)].sort
fib = Hash.new { |h, n| h[n] = n < 2 ? n : h[n - 1] + h[n - 2] }
puts fib[90], 2**200, Rational(3, 4) + 1
puts (1..Float::INFINITY).lazy.select(&:even?).map { |x| x * x }.first(5).inspect

def deep(n) = n.zero? ? raise(ArgumentError, 'deep enough') : deep(n - 1)
begin
  deep(5)
rescue ArgumentError => e
  puts e.message, e.backtrace.first(7).map { |l| l.sub(/.*\//, '') }
ensure
  puts 'ensured'
end
puts catch(:found) { [1, 2, 3].each { |x| throw :found, x * 10 if x == 2 } }
def outer = [1, 2, 3].each { |x| return x if x > 1 }
puts outer, caller.inspect

gen = Fiber.new { 3.times { |i| Fiber.yield i * i }; :done }
puts 4.times.map { gen.resume }.inspect
results = Queue.new
8.times.map { |i| Thread.new { results << (1..1000).sum { |x| x * i } } }.each(&:join)
puts 8.times.map { results.pop }.sort.inspect
lock = Mutex.new
n = 0
4.times.map { Thread.new { 500.times { lock.synchronize { n += 1 } } } }.each(&:join)
puts n

%w[plus minus].zip(%i[+ -]) { |name, op| define_method(name) { |a, b| a.send(op, b) } rescue Object.define_method(name) { |a, b| a.send(op, b) } }
puts plus(3, 4), minus(3, 4), eval('plus(1, 1)')
case { kind: 'point', at: [1, [2, 3]] }
in { kind: 'point', at: [x, [*, y]] } then puts "matched #{x} #{y}"
end
puts JSON.generate(JSON.parse('{"a":[1,2.5,null,"x\u00e9"],"b":{"c":true}}'))
puts Digest::SHA256.hexdigest('jruby'), 'x1y22z333'.gsub(/\d+/) { |d| "<#{d.to_i * 2}>" }
puts Set[3, 1, 2, 3].to_a.inspect, StringIO.new("a\nb\n").each_line.map(&:chomp).inspect
puts ObjectSpace.respond_to?(:each_object), __method__.inspect
