// node view.mjs PLAYWRIGHT CHROMIUM PAGE REPORT SHOTS PATH AGAINST DIFF: opens PAGE, of tests/cli/view/Shop.java, in a browser
// that nobody sees: what it shows equals REPORT and PATH (the JSON of `jweave report`, and with --critical-path), keys, links, the
// two schemes. AGAINST is another page, with an earlier run, and equals DIFF (the JSON of `jweave diff`). TAP without a plan.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { is, launch, plan, show } from './browser.mjs';

const [playwright, executablePath, page_, report_, shots, path_, against, diff_] = process.argv.slice(2);
/** What jweave said; a control of the direction of text is shown as its bytes. */
const said = file => JSON.parse(readFileSync(file, 'utf8').replaceAll('\\u202e', '\\\\xe2\\\\x80\\\\xae'));
const report = said(report_);
const address = pathToFileURL(page_).href;

const browser = await launch(playwright, executablePath);
const heard = [];

const open = (hash, options = {}, where = address) => show(browser, heard, where + hash, options);
const settled = page => page.waitForTimeout(500);
/** The cells of a table: numbers where there are some. */
const cells = (page, id) => page.$$eval(`#${id} tbody tr`, rows => rows.map(row => [...row.cells].map(cell => {
	const exact = cell.querySelector('[data-n], [data-ns]');
	return exact ? Number(exact.dataset.n ?? exact.dataset.ns) : (cell.querySelector('.link') || cell).textContent;
})));
const sorted = list => list.map(String).sort();

// ---- figures ----
let page = await open('');
is('the title', await page.title(), 'shop — jweave');
const tiles = await page.$$eval('.tile', list => Object.fromEntries(list.map(t => [t.querySelector('dt').textContent, t.querySelector('dd').textContent.replace(/\s/g, '')])));
is('calls, threads, methods of the overview', [tiles.Calls, tiles.Threads, tiles.Methods].map(Number), [report.calls, report.threadCount, report.methodCount]);
is('pauses', Number(tiles['GC pauses']), report.gcPauses.count);
await page.screenshot({ path: `${shots}/overview.png` });

await page.keyboard.press('3');
is('the table of methods, as the report has it', sorted(await cells(page, 'methods').then(rows => rows.map(r => [r[0], r[1], r[2], r[3], r[4], Math.round(r[6]), r.at(-2)]))),
	sorted(report.methods.map(m => [m.name, m.calls, m.inclusiveNs, m.selfNs.running, m.exclusiveNs, Math.round(m.meanNs), m.longestNs])));
is('... and in its order', (await cells(page, 'methods')).map(r => [r[0], r[2]]), report.methods.map(m => [m.name, m.inclusiveNs]));
await page.keyboard.press('5');
is('waits', sorted(await cells(page, 'waits').then(rows => rows.map(r => [r[1], r[2], r[3]]))), sorted(report.waits.map(w => [w.count, w.ns, w.longestNs])));
// which lock, held by whom in which method: the tab of waits, then its line
await page.evaluate(`void [...document.querySelectorAll('#waits .link')].find((_, i, all) => {
	return /to enter .*Shop.pay/.test(all[i].closest('td').textContent);
}).click()`);
is('a wait: who held it, in which method', await page.$$eval('#single-waits li', list => list.every(li => /Held by .* in Shop.pay/.test(li.textContent)) && list.length > 0), true);
await page.click('#single-waits .link');
await settled(page);
is('a single wait is a link into the timeline', await page.evaluate('[shown.tab, KINDS[kindOf(selected().what)].key]'), ['timeline', 'blocked']);
is('... whose details say so, too', await page.evaluate('/to enter .*Held by .* in Shop.pay/s.test(document.getElementById("reasons").textContent)'), true);
await page.click('#reasons div .link');
await settled(page);
is('... and lead to who held it, doing what', await page.evaluate('[shown.selection.exact, [selected().what, parentOf(selected())?.track.what[parentOf(selected()).i]].map(methodName).includes("Shop.pay")]'), [true, true]);
await page.keyboard.press('5');
is('monitors', sorted(await cells(page, 'monitors').then(rows => rows.map(r => [r[0], r[1], r[2], r[3], r[4]]))),
	sorted(report.monitors.map(m => [m.object, m.contended.count, m.contended.ns, m.waits.count, m.waits.ns])));
await page.keyboard.press('6');
is('threads', sorted(await cells(page, 'threads').then(rows => rows.map(r => [r[0], r.at(-1), r.at(-2)]))),
	sorted(report.threads.map(t => [t.name || '(no name)', t.calls, t.insideNs])));
// what waits in a pool or driver that is not traced was called by something that is
const wait = { wait: 'park', method: 'Pool.take, which loads a class', source: 'Pool.java', line: 7, class: 'a.Lock', object: 'a.Lock@1', callee: '', channel: '', callers: ['App.pay', 'Pool.take(int)', 'App.sell', 'App.list'].map(method => ({ method, count: 1, ns: 1 })) };
is('waits name their callers', await page.evaluate(`waitCell(${JSON.stringify(wait)}).textContent`), 'Lock@1park, in Pool.take, which loads a class (Pool.java:7), called by App.pay, App.sell and 1 more');
is('... but not of those for work', await page.evaluate(`waitCell({ ...${JSON.stringify(wait)}, wait: 'work' }).textContent.includes('called by')`), false);
// of many threads those of one role have a line of their own: here main, a pool of 24, and two that are alike
const many = [['main', 5], ...Array.from({ length: 24 }, (_, i) => [`pool-1-thread-${i}`, i]), ['tick 0b8a7f15-7fcb-4f3e-9746-1b060812a207', 1], ['tick 2', 2]]
	.map(([name, calls], place) => ({ place, thread: { name, task: 1, calls, lifeNs: 10, runningNs: 4, insideNs: 3, cpuNs: 0, states: { 1: 4, 5: 6 } } }));
is('roles of threads, with their sums', await page.evaluate(`sumByRole(${JSON.stringify(many)}, null).map(r => [r.thread.name, r.thread.threads || 1, r.thread.calls, r.thread.lifeNs, r.thread.insideNs, r.thread.states])`),
	[['main', 1, 5, 10, 3, { 1: 4, 5: 6 }], ['pool-*-thread-*', 24, 276, 240, 72, { 1: 96, 5: 144 }], ['tick *', 2, 3, 20, 6, { 1: 8, 5: 12 }]]);
is('... of a range', await page.evaluate(`(range => sumByRole(${JSON.stringify(many)}, range).map(r => (range.get(r.place) || [])[0]))(new Map([[0, [7]], [1, [2]], [3, [5]], [25, [1]]]))`), [7, 7, 1]);
is('... are a table before that of each', await page.evaluate(`threadTables(${JSON.stringify(many)}, 'many').map(e => e.tagName === 'H2' ? e.textContent : e.querySelectorAll('tbody tr').length)`), ['By role', 3, 'Each thread', 27]);
is('... where that is shorter', await page.evaluate(`[threadTables(${JSON.stringify(many.slice(0, 20))}, 'few').length, threadTables(${JSON.stringify(many)}.map((r, i) => ({ ...r, thread: { ...r.thread, name: 'n' + 'x'.repeat(i) } })), 'alone').length]`), [1, 1]);
const path = said(path_);
await page.keyboard.press('7');
is('methods of the critical path, as the report has them', sorted(await cells(page, 'path-methods').then(rows => rows.map(r => [r[0], r[1]]))),
	sorted(path.methods.map(m => [m.name || '(outside of traced methods)', m.ns])));
is('threads of it', sorted(await cells(page, 'path-threads').then(rows => rows.map(r => [r[0], r[1]]))), sorted(path.threads.map(t => [t.name || '(no name)', t.ns])));
is('waits of it', sorted(await cells(page, 'path-waits').then(rows => rows.map(r => [r[1], r[2]]))), sorted(path.waits.map(w => [w.threadName, w.ns])));
is('its parts touch, and are all of the time', await page.evaluate(`[pathSegments[0].begin, pathSegments.every((s, i) => !i || s.begin === pathSegments[i - 1].end), pathSegments.at(-1).end]`),
	[0, true, report.durationNs]);
await page.click('#path-parts .link');
await settled(page);
is('a part of it is a link into the timeline', await page.evaluate('[shown.tab, shown.path]'), ['timeline', true]);
await page.keyboard.press('c');
is('C: without the path', await page.evaluate('[shown.path, document.querySelector("[aria-pressed]").getAttribute("aria-pressed")]'), [false, 'false']);
await page.keyboard.press('f');
await page.keyboard.press('Escape');
await page.evaluate('timelineView.setView(model.begin, model.end)');
is('a flame graph of all the time', await page.evaluate(`treeOf(0, model.end, null).then(t => [t.exact, t.nodes[0].total, t.methods.slice(1).map(s => [s.calls, s.total, Math.round(s.self)])])`),
	await page.evaluate(`[true, ${report.threads.reduce((s, t) => s + t.insideNs, 0)}, model.methods.map(m => [m.calls, m.total, m.self])]`));
const halved = await page.evaluate(`model.index.rows.reduce((n, r) => n + (r.tracks || []).slice(1).reduce((m, t) => m + [...t.begin].filter((b, i) => b < model.end / 2 && t.end[i] > model.end / 2).length, 0), 0)`);
is('the two halves of the run have all calls, and both have those that go on in the second', await page.evaluate(`Promise.all([treeOf(0, model.end / 2, null), treeOf(model.end / 2, model.end, null)])
	.then(halves => halves.reduce((n, t) => n + t.methods.reduce((m, s) => m + s.calls, 0), 0))`), report.calls + halved);
is('some go on', halved > 0, true);

// ---- the timeline, by keys alone ----
await page.keyboard.press('2');
await settled(page);
await page.screenshot({ path: `${shots}/timeline.png` });
is('the run from its beginning to its end', await page.evaluate('[shown.from, shown.to]'), [0, report.durationNs]);
await page.keyboard.press('w');
await page.keyboard.press('w');
await page.keyboard.press('d');
is('W and D: a part of it', await page.evaluate('shown.to - shown.from < model.end / 2 && shown.from > model.end / 4'), true);
await page.keyboard.press('f');
is('F: all of it', await page.evaluate('[shown.from, shown.to]'), [0, report.durationNs]);
const place = name => report.threads.findIndex(t => t.name === name);
await page.evaluate(`loadRow(model.index.rows[${place('pong')}]).then(() => {
	const row = model.index.rows[${place('pong')}], waits = row.tracks[0], i = waits.what.findLastIndex(w => [5, 8, 9].includes(w));
	return goTo(row.place, 0, waits.begin[i], waits.end[i]);
})`);
const chain = [];
for (let i = 0; i < 5; i++) {
	await page.keyboard.press('[');
	await page.waitForTimeout(60);
	chain.push(await page.evaluate('threadName(shown.selection.row)'));
}
const walk = await page.evaluate(`(() => {
	const a = model.arrows, names = [];
	for (let i = 0, row = ${place('pong')}, at = Infinity; i < 5; i++) {
		let last = -1;
		for (let k = 0; k < a.n; k++)
			if (a.to[k] === row && a.received[k] <= at && (last < 0 || a.received[k] >= a.received[last]))
				last = k;
		if (last >= 0)
			[row, at] = [a.from[last], a.sent[last]];
		names.push(threadName(row));
	}
	return names;
})()`);
is('[ follows who let whom go on, from turn to turn', chain, walk);
is('... from one player to the other first', chain.slice(0, 2), ['ping', 'pong']);
for (let i = 0; i < 4; i++) {
	await page.keyboard.press(']');
	await page.waitForTimeout(60);
}
is('] leads on again', await page.evaluate('threadName(shown.selection.row)'), chain[0]);
const longest = report.methods.find(m => m.name === 'Shop.price');
await page.evaluate(`openMethod(${await page.evaluate(`model.methods.findIndex(m => m.name === 'Shop.price')`)})`);
await page.click('#longest .link');
await settled(page);
is('the longest call of a method is a link into the timeline', await page.evaluate('[selected().end - selected().begin, methodName(selected().what)]'), [longest.longestNs, 'Shop.price']);
is('its details have what it captured', await page.evaluate(`(async () => {
	const row = model.index.rows.find(r => threadName(r.place) === 'main');
	await loadRow(row);
	const wanted = [...model.said.values].filter(([key, list]) => list.some(v => v.text === 'bread7')).map(([key]) => key.split(' ').map(Number));
	select(...wanted[0]);
	return [wanted.length, capturedBy(selected()), methodName(selected().what)];
})()`), [1, [['item', 'bread7'], ['letters', '6']], 'Shop.price']);
is('an arrow has the name of what sent it', await page.evaluate('[...model.said.arrows.values()].every(name => name) && model.said.arrows.size > 1'), true);
await page.click('#tab-methods');
await page.click('#longest .link');
await settled(page);
const begin = await page.evaluate('selected().begin');
const calls = await page.evaluate(`(s => s.row.tracks.slice(1).flatMap(t => [...t.begin].filter((_, i) => t.what[i] === s.what)).sort((a, b) => a - b))(selected())`);
const at = calls.indexOf(begin), step = at + 1 < calls.length ? 1 : -1;
await page.keyboard.press(step > 0 ? 'n' : 'p');
await page.waitForTimeout(60);
is('N, P: the next and the previous call of it', await page.evaluate('[methodName(selected().what), selected().begin]'), ['Shop.price', calls[at + step]]);
await page.keyboard.press('ArrowUp');
await page.waitForTimeout(60);
is('up: who called it', await page.evaluate('methodName(selected().what)'), 'Shop.main');
await page.keyboard.press('r');
is('R: the selection is the range', await page.evaluate('shown.range[1] - shown.range[0] === selected().end - selected().begin'), true);
await page.keyboard.press('3');
await page.waitForSelector('#range-methods');
is('methods of the range', (await cells(page, 'range-methods')).find(r => r[0] === 'Shop.main')?.[1], 1);
await settled(page);

// ---- links ----
const link = await page.evaluate('location.hash');
const again = await open(link);
is('a link shows the same', await again.evaluate('[shown.tab, shown.range, shown.selection]'), await page.evaluate('[shown.tab, shown.range, shown.selection]'));
await again.close();
await page.goBack();
await settled(page);
is('back', await page.evaluate('shown.tab'), 'timeline');
for (const hash of ['#t=9-1&sel=1', '#tab=%3Cb%3E&sel=9999.1.1.1.1&method=99999&thread=-1', '#%E0%A4%A', '#t=0-99999999999999999999']) {
	const odd = await open(hash);
	is(`an address that is none: ${hash}`, await odd.evaluate('[shown.from, shown.to, shown.selection, document.querySelectorAll("#tabs button").length]'), [0, report.durationNs, null, 7]);
	await odd.close();
}

// ---- search, names, schemes ----
await page.keyboard.press('Escape');
await page.keyboard.press('/');
await page.keyboard.type('shop.price');
await settled(page);
is('a search sums up what it finds', (await page.textContent('#search-sums')).replace(/\s/g, ' ').split(',').slice(0, 2), ['1 method', ` ${longest.calls.toLocaleString('en').replace(',', ' ')} calls`]);
await page.keyboard.press('Escape');
await page.fill('#search', 'bread7');
await settled(page);
await page.click('#search-sums .link');
await settled(page);
is('a search finds what calls have captured, and leads to them', await page.evaluate('[shown.tab, methodName(selected().what), capturedBy(selected())[0][1], /^\\d+ calls captured it$/.test(document.getElementById("search-sums").textContent)]'), ['timeline', 'Shop.price', 'bread7', true]);
await page.focus('#search');
for (let i = 0; i < 3; i++) // the search, then the selection, then nothing
	await page.keyboard.press('Escape');
is('names are text', await page.evaluate('[document.images.length, document.title]'), [0, 'shop — jweave']);
await page.keyboard.press('?');
is('? lists the keys', await page.evaluate('document.querySelector("dialog[open] h2").textContent'), 'Keys');
await page.keyboard.press('Escape');
const dark = await open('#tab=timeline', { colorScheme: 'dark', viewport: { width: 3840, height: 1600 } });
is('dark, where the desktop is', await dark.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(20, 23, 28)');
await settled(dark);
await dark.screenshot({ path: `${shots}/dark.png` });
for (const [width, tab] of [[640, 'overview'], [640, 'timeline'], [1280, 'overview'], [1280, 'timeline'], [1280, 'methods'], [1280, 'waits'], [1280, 'flame'], [3840, 'overview'], [3840, 'threads']]) {
	await dark.setViewportSize({ width, height: 800 });
	await dark.keyboard.press(String(['overview', 'timeline', 'methods', 'flame', 'waits', 'threads'].indexOf(tab) + 1));
	await settled(dark);
	is(`nothing is wider than the window: ${tab}, ${width}`, await dark.evaluate('[document.documentElement, document.getElementById("main")].every(e => e.scrollWidth <= e.clientWidth)'), true);
}
// ---- several inputs ----
for (const [file, title] of [['two.html', 'shop, later — jweave'], ['three.html', 'shop and 2 more — jweave'], ['both.html', 'both — jweave']])
	is(`the title of several: ${file}`, await (await open('', {}, new URL(file, address).href)).title(), title);
// ---- an earlier run ----
const diff = said(diff_);
const two = await open('#tab=diff', {}, pathToFileURL(against).href);
const certain = diff.methods.some(i => i.calls.verdict === 'changed') ? 'calls' : 'self'; // of single runs
is('the difference begins with what is certain', await two.$eval('section:has(#diff-methods) select', list => list.value), certain);
for (const [kind, by] of [['methods', certain], ['roles', 'running'], ['locks', 'blocked'], ['operations', 'time'], ['exceptions', 'thrown']])
	is(`the difference: ${kind}`, sorted(await cells(two, `diff-${kind}`).then(rows => rows.map(r => r.slice(1, 4)))), sorted(diff[kind].map(i => [i[by].a, i[by].b, i[by].change])));
await two.selectOption('section:has(#diff-methods) select', 'p99');
is('... by another figure', sorted(await cells(two, 'diff-methods').then(rows => rows.map(r => [r[0], r[1], r[2]]))), sorted(diff.methods.map(i => [i.title, i.p99.a ?? '', i.p99.b ?? ''].map(v => v === '' ? 0 : v))));
await two.screenshot({ path: `${shots}/diff.png` });
const colours = await two.evaluate(`(paint = makePaint(), [...changeColours()].map((c, i) => [changesByMethod().get(i), c & 255, c >> 16 & 255]).filter(c => c[0]))`);
is('two colours: red is what took longer, blue what did not', [colours.length > 3, colours.every(([c, red, blue]) => c.b === c.a || (c.b > c.a) === (red > blue))], [true, true]);
is('... of the difference', await two.evaluate(`[...changesByMethod().values()].reduce((n, c) => n + c.b, 0) === model.methods.reduce((n, m) => n + m.self, 0)`), true);
await two.evaluate("openTab('flame')");
await settled(two);
is('the flame graph has them', await two.evaluate('[shown.colour, document.querySelectorAll(".swatch.grew").length]'), ['change', 1]);
await two.screenshot({ path: `${shots}/flame-diff.png` });
is('8: the difference', await two.evaluate('TABS[7].id'), 'diff');
await two.close();
is('no error, and nothing was asked of a network', heard, []);
plan();
await browser.close();
