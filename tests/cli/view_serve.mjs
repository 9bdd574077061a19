// node view_serve.mjs PLAYWRIGHT CHROMIUM URL REPORT: opens what `jweave view --serve` brings of a run of 2,000,000 calls
// (x_many_calls.c), and looks at it ever closer: what is summed up in the page is there call by call. TAP without a plan.
import { readFileSync } from 'node:fs';
import { is, launch, plan, show, until } from './browser.mjs';

const [playwright, executablePath, address, report_] = process.argv.slice(2);
const report = JSON.parse(readFileSync(report_, 'utf8'));

const browser = await launch(playwright, executablePath);
const heard = [];
const page = await show(browser, heard, `${address}#tab=timeline`, { allowed: url => url.startsWith(address) });
is('the page has sums', await page.evaluate('model.index.least > 0 && model.index.rows[0].tracks.some(t => t.counts.length > 0)'), true);

/** Shows NS around the middle of the run; then what is in view of the first row. */
async function look(ns) {
	await page.evaluate(`timelineView.setView(model.end / 2 - ${ns} / 2, model.end / 2 + ${ns} / 2)`);
	for (let i = 0; i < 200 && !await page.evaluate('!asking && model.index.rows.every(row => isFine(row, shown.from, shown.to))'); i++)
		await page.waitForTimeout(100);
	return page.evaluate(`(() => {
		const row = model.index.rows.find(r => !r.isVm), d = details.get(row);
		const seen = row.tracks.slice(1).flatMap(t => [...t.begin].map((b, i) => [b, t.end[i], t.flags[i] & 1, i]).filter(s => s[0] < shown.to && s[1] > shown.from));
		const order = row.tracks.every(t => t.begin.every((b, i) => t.end[i] >= b && (!i || b >= t.end[i - 1])));
		return { n: seen.length, sums: seen.filter(s => s[2]).length, order, least: d ? d.least : -1 };
	})()`);
}
for (const ns of [1e8, 1e7, 1e6, 1e5, 1e4]) {
	const seen = await look(ns);
	is(`${ns} ns: spans follow each other`, seen.order, true);
	if (ns <= 1e6)
		is(`${ns} ns: each call by itself`, [seen.least, seen.sums, seen.n > 0], [0, 0, true]);
}
const far = await look(1e9);
is('far out again', far.order, true);
const part = await page.evaluate(`(async () => {
	const begin = Math.floor(model.end / 2), sums = [];
	for (const row of [...model.index.rows]) {
		const t = await treeOf(begin, begin + 3000000, row.place);
		sums.push([t.exact, t.methods.reduce((n, m) => n + m.calls, 0)]);
	}
	const all = await treeOf(begin, begin + 3000000, null);
	return [all.exact, sums.every(s => s[0]), all.methods.reduce((n, m) => n + m.calls, 0) === sums.reduce((n, s) => n + s[1], 0), all.nodes.length > 10];
})()`);
is('a range is added up call by call', part, [true, true, true, true]);
is('and the page is as it was', await page.evaluate('model.index.rows.every(row => row.tracks && row.tracks.length === row.trackCount)'), true);
const halves = await page.evaluate(`(async () => {
	const edge = i => i % 40 ? Math.floor(i / 40 * model.end) + 0.5 : i / 40 * model.end; // no call begins there
	const calls = async (a, b) => (t => t.exact ? t.methods.reduce((m, s) => m + s.calls, 0) : NaN)(await treeOf(a, b, null));
	let n = 0, between = 0;
	for (let i = 0; i < 40; i++) {
		n += await calls(edge(i), edge(i + 1));
		between += i ? await calls(edge(i) - 0.1, edge(i) + 0.1) : 0;
	}
	return [n - between, between > 0];
})()`);
is('forty parts have all calls of the report, and those between two in both', halves, [report.calls, true]);
is('the longest call of a method leads to it', await page.evaluate(`(async () => {
	const call = model.longest[3][0];
	await goTo(call.row, call.level + 1, call.begin, call.begin + call.ns);
	const s = selected();
	return [s.begin === call.begin, s.end - s.begin === call.ns, methodName(s.what) === model.methods[3].name, s.isSum];
})()`), [true, true, true, false]);
const took = [], fine = [];
for (let i = 0; i < 10; i++) {
	const began = Date.now();
	fine.push(await page.evaluate(`(async (from, to) => {
		const rows = model.index.rows.filter(r => !r.isVm);
		await loadDetail(rows, from, to);
		return rows.every(row => isFine(row, from, to));
	})(model.end * ${i} / 10, model.end * ${i} / 10 + ${10 ** (2 + i % 8)})`));
	took.push(Date.now() - began);
}
console.log(`# a zoom took ${took.join(', ')} ms`); // told, not judged: machines differ
is('each zoom is as fine as can be seen', fine.every(Boolean), true);
is('no error, and nothing else was asked', heard, []);

// ---- the server is gone ----
const failed = [];
page.on('pageerror', e => failed.push(e.message));
const gone = () => page.route(/tracks|arrows/, r => r.abort());
await gone();
await page.evaluate('shown.range = [model.end / 2, model.end / 2 + 3000000], changed("range"), openTab("methods"), openMethod(3)');
const said = () => page.evaluate('document.getElementById("main").textContent.includes("jweave view --serve is no longer there: start it again")');
for (const tab of ['methods', 'flame']) {
	await page.evaluate(`openTab('${tab}')`);
	await page.waitForTimeout(1500);
	is(`${tab}: says that the server is gone`, await said(), true);
	await page.unroute(/tracks|arrows/);
	await page.click('.notice.bad .link');
	await until(page, 'document.querySelector("#range-methods, .flame")');
	is('... and tries again', await said(), false);
	await gone();
	await page.evaluate('shown.range = [shown.range[0] + 1, shown.range[1]], changed("range")');
}
await page.evaluate('shown.range = null, changed("range"), openTab("methods")');
await page.evaluate('(call => goTo(call.row, call.level + 1, call.begin, call.begin + call.ns))(model.longest[4][0])');
await page.waitForTimeout(500);
is('a link: what the page has, and that the server is gone', [await page.evaluate('shown.tab'), await said()], ['timeline', true]);
is('no failure was left unsaid', failed, []);
plan();
await browser.close();
