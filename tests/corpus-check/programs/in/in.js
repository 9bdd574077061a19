var out = typeof print == 'function' ? print : function (x) { console.log(x); };
function Q(n) { this.n = n; } Q.prototype.up = function () { return ++this.n; };
var q = new Q(4), l = []; for (var i = 0; i < 20; i++) { try { if (i % 5 == 0) throw new Error('e' + i); l.push(i * q.up()); } catch (e) { l.push(e.message); } finally { l.push('.'); } }
out(l.join(',')); out(/(\d+)-(\w+)/.exec('x 12-ab')[2]); out(JSON.stringify({ a: [1, 2, { b: null }] }));
