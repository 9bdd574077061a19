// What Rhino's compiler writes: one class for a script, functions chosen by a switch, generators that are entered in the middle.
function Q(n) { this.n = n; } Q.prototype.up = function () { return ++this.n; };
var q = new Q(4), l = [];
for (var i = 0; i < 20; i++) {
	try { if (i % 5 == 0) throw new Error('e' + i); l.push(i * q.up()); }
	catch (e) { l.push(e.message); if (i > 12) continue; }
	finally { l.push('.'); }
}
print(l.join(','));
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
print(fib(15), /(\d+)-(\w+)/.exec('x 12-ab')[2], JSON.stringify({ a: [1, 2, { b: null }] }));
function pick(x) { switch (typeof x) { case 'number': return x | 0; case 'string': return x + x; default: return String(x); } }
print([1.5, 'ab', null, undefined, [1, [2]]].map(pick).join('|'));
function outer(n) { var inner = function (m) { return arguments.length * n + m; }; return inner(1) + inner(1, 2); }
print(outer(10), (function () { try { return 'try'; } finally { print('finally'); } })());
var out = []; label: for (var a in { x: 1, y: 2, z: 3 }) { for (var b = 0; b < 3; b++) { if (b == 1) continue label; out.push(a + b); } }
print(out, with_(3)); function with_(n) { with ({ n: n * 2 }) { return n; } }
