// node view_same.mjs PLAYWRIGHT CHROMIUM RUNS: opens the pages of RUNS (JSON: what each is called, its page, and what `jweave
// report` and `jweave diff` say of the same run) in a browser that nobody sees: all figures are the same; a link shows the
// same again; no console error, no request, and the page's policy forbids one. TAP without a plan.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { is, launch, plan, show } from './browser.mjs';

const [playwright, executablePath, runs_] = process.argv.slice(2);
const json = file => JSON.parse(readFileSync(file, 'utf8'));

const browser = await launch(playwright, executablePath);
const heard = [];

const open = (file, hash = '') => show(browser, heard, pathToFileURL(file).href + hash);

/** The cells of a table, all rows of it: numbers where there are some, else text. */
async function cells(page, id) {
	await page.waitForSelector(`#${id}`);
	return page.evaluate(name => {
		for (let more; (more = document.querySelector(`.table:has(#${name}) .more button`));)
			more.click();
		return [...document.querySelectorAll(`#${name} tbody tr`)].filter(row => !row.querySelector('.empty')).map(row => [...row.cells].map(cell => {
			const exact = cell.querySelector('[data-n], [data-ns]');
			return exact ? Number(exact.dataset.n ?? exact.dataset.ns) : (cell.querySelector('.link') || cell).textContent;
		}));
	}, id);
}
const sorted = list => list.map(x => typeof x === 'string' ? x : JSON.stringify(x)).sort();
const rounded = ns => Math.round(ns);
const tab = (page, id) => page.evaluate(`openTab('${id}')`);

/** By what waits are one line; not those of calls, which the report tells without what was told of them meanwhile. */
const told = waits => waits.filter(w => w.wait !== 'call');
/** Those of calls, of which two lines may differ by what else their threads did. */
function callWaits(waits) {
	const sums = new Map();
	for (const w of waits.filter(x => x.wait === 'call')) {
		const key = `${w.callee} ${w.method} ${w.line}`, [count, ns] = sums.get(key) || [0, 0];
		sums.set(key, [count + w.count, ns + w.ns]);
	}
	return [...sums].map(([key, [count, ns]]) => `${key} ${count} ${Math.round(ns)}`).sort();
}
const line = w => [w.wait, w.method, w.source, w.line, w.class];
// single waits do not say whether their thread does little else, which two lines of a report may differ by
function together(waits) {
	const sums = new Map();
	for (const w of told(waits)) {
		const [count, ns] = sums.get(JSON.stringify(line(w))) || [0, 0];
		sums.set(JSON.stringify(line(w)), [count + w.count, ns + w.ns]);
	}
	return [...sums].map(([key, sum]) => [...JSON.parse(key), ...sum]);
}

// ---- what the report says, as the page shows it ----

/** By what a method is there: its name alone is not always one. */
const full = m => `${m.name}|${m.full}`;

function treeOf(report) {
	const nodes = new Map(), out = [];
	for (const node of report.tree) {
		const above = node.parent === null ? null : nodes.get(node.parent);
		nodes.set(node.id, { path: above ? `${above.path}\n${full(node)}` : '' });
		if (above)
			out.push([nodes.get(node.id).path, node.calls, node.totalNs, node.selfNs]);
	}
	return sorted(out);
}

const treeInPage = (from, to) => `treeOf(${from}, ${to}, null).then(t => {
	const paths = [''];
	return t.nodes.map((node, at) => {
		const m = node.method ? model.methods[node.method - 1] : null;
		if (at)
			paths[at] = paths[node.parent] + '\\n' + (m ? m.name + '|' + m.full : '(unknown)|(unknown)');
		return [paths[at], node.calls, Math.round(node.total), Math.round(node.self)];
	}).slice(1);
})`;

const likelyKnown = report => report.statesKnown && report.methods.some(m => m.closed);

async function overview(page, name, run, report) {
	const tiles = await page.$$eval('.tile', list => Object.fromEntries(list.map(t => [t.querySelector('dt').textContent, Number(t.querySelector('dd').dataset.n)])));
	is(`${name}: the overview`, [tiles.Duration, tiles['CPU time'], tiles.Threads, tiles.Methods, tiles.Calls, tiles['GC pauses']],
		[report.durationNs, report.cpuNs || 0, report.threadCount, report.methodCount, report.calls, report.gcPauses.count].map(v => v ?? 0));
	const likely = likelyKnown(report), more = likely ? 1 : 0;
	const key = m => likely ? m.likelyRunningNs : report.statesKnown ? m.selfNs.running : m.exclusiveNs;
	const first = [...report.methods].sort((a, b) => key(b) - key(a));
	const least = first.length > 12 ? key(first[12]) : -1; // of equal ones any may be there
	const costly = (await cells(page, 'costliest').catch(() => [])).map(r => JSON.stringify([r[0], ...likely ? [r[1]] : [], ...[1, 3, 4].map(i => r[i + more])]));
	const wanted = first.slice(0, 12).filter(m => key(m) > least).map(m => JSON.stringify([m.name, ...likely ? [key(m)] : [], report.statesKnown ? m.selfNs.running : m.exclusiveNs, m.inclusiveNs, m.calls]));
	is(`${name}: its costliest methods`, wanted.filter(m => !costly.includes(m)), []);
	if (report.waits.length)
		is(`${name}: what was waited for`, sorted((await cells(page, 'waited-for')).map(r => [r[1], r[3]])), sorted(report.waits.slice(0, 10).map(w => [w.ns, w.count])));
	if (run.processes) {
		const of = task => report.threads.filter(t => t.task === task + 1);
		is(`${name}: processes`, (await cells(page, 'processes')).map(r => [r[0], r.at(-2), r.at(-1)]),
			run.processes.map((role, i) => [role, of(i).filter(t => !t.isVm).length, of(i).reduce((sum, t) => sum + t.calls, 0)]));
	}
	if (likely)
		is(`${name}: closed methods had at least their calls`, (await page.$$eval('#costliest [title*="closed"]', list => list.length)) > 1, true);
	const busy = (await cells(page, 'busiest')).map(r => JSON.stringify(r.slice(2)));
	is(`${name}: threads are those of the report`, busy.filter(r => !report.threads.some(t => JSON.stringify([report.statesKnown ? t.runningNs : t.lifeNs, t.insideNs, t.calls]) === r)), []);
}

async function channels(page, name, report) {
	await tab(page, 'waits');
	for (const id of ['connections', 'files']) {
		const list = report[id].filter(c => c.reads.count || c.writes.count || c.others.ns), moves = ['reads', 'writes', 'others'].filter(key => list.some(c => c[key].count));
		if (list.length)
			is(`${name}: ${id}`, sorted(await cells(page, id)), sorted(list.map(c => [c.name, c.reads.ns + c.writes.ns + c.others.ns,
				...moves.flatMap(key => [c[key].count, ...key === 'others' ? [] : [c[key].bytes], c[key].ns])])));
	}
}

async function closings(page, name, report) {
	await tab(page, 'timeline');
	is(`${name}: the axis of the timeline has a mark where each method was closed`,
		sorted(await page.evaluate('timelineView.now.closings().flatMap(mark => mark.methods.map(m => [m.name, m.closed]))')),
		sorted(report.methods.filter(m => m.closed).map(m => [m.name, m.closedNs])));
	await tab(page, 'flame');
	await page.waitForSelector('.flame');
	is(`${name}: the flame graph says how many`, (await page.textContent('#main .closed')).match(/\d+ methods? w/)?.[0], `${report.methods.filter(m => m.closed).length} method${report.methods.filter(m => m.closed).length === 1 ? ' w' : 's w'}`);
}

async function tables(page, name, run, report) {
	const more = likelyKnown(report) ? 1 : 0; // a column
	await tab(page, 'methods');
	const percentiles = new Map(json(run.percentiles).methods.map(m => [full(m), m]));
	const listed = await cells(page, 'methods'), order = m => more ? m.likelyRunningNs : m.selfNs.running;
	is(`${name}: in the order of the report`, listed.map(r => r[3]), report.methods.map(order));
	is(`${name}: methods and percentiles`, sorted(listed.map(r => [...r.slice(0, 5 + more), rounded(r[6 + more]), ...r.slice(7 + more, 12 + more)])),
		sorted(report.methods.map(m => {
			const p = percentiles.get(full(m));
			return [m.name, m.calls, m.inclusiveNs, ...more ? [m.likelyRunningNs] : [], m.selfNs.running, m.exclusiveNs, rounded(m.meanNs), p.p50Ns, p.p90Ns, p.p99Ns, p.p999Ns, m.longestNs];
		})));
	if (more)
		await closings(page, name, report);
	const counted = await page.evaluate('model.methods.map(m => [m.full, m.calls])');
	const claimed = {};
	for (const [what, calls] of counted) {
		const short = what.replace(/\(.*/, '');
		if (short in run.claimed)
			claimed[short] = (claimed[short] || 0) + calls;
	}
	is(`${name}: calls are those that the program counts`, sorted(Object.entries(claimed)), sorted(Object.entries(run.claimed)));
	await tab(page, 'waits');
	is(`${name}: waits`, sorted((await cells(page, 'waits')).map(r => [r[1], r[2], r[3]])), sorted(report.waits.map(w => [w.count, w.ns, w.longestNs])));
	is(`${name}: who does little else comes last`, await page.$$eval('#waits tr', rows => rows.map(r => r.classList.contains('last')).filter((last, i, all) => i && all[i - 1] && !last).length), 0);
	is(`${name}: as many as in the report`, await page.$$eval('#waits tr.last', rows => rows.length), report.waits.filter(w => w.littleElse || ['work', 'requests'].includes(w.wait)).length);
	is(`${name}: single waits add up`, sorted(await page.evaluate(`model.report.waits.filter(w => w.wait !== 'call').filter((w, i, all) => all.findIndex(x => waitKey(x) === waitKey(w)) === i).map(w => {
		const list = singles.all.filter(one => waitKey(one.raw) === waitKey(w));
		return [w.wait, w.method, w.source, w.line, w.class, list.length, list.reduce((n, one) => n + one.raw.ns, 0)];
	})`)), sorted(together(report.waits)));
	is(`${name}: monitors`, sorted((await cells(page, 'monitors')).map(r => r.slice(1, 5))),
		sorted(report.monitors.map(m => [m.contended.count, m.contended.ns, m.waits.count, m.waits.ns])));
	if (report.operations.length)
		is(`${name}: operations`, sorted((await cells(page, 'operations')).map(r => r.slice(0, 3))), sorted(report.operations.map(o => [`${o.type}/${o.name}`, o.count, o.ns])));
	if (report.exceptions.length)
		is(`${name}: exceptions`, sorted(await cells(page, 'exceptions')), sorted(report.exceptions.map(x => [x.class, x.thrown, x.again, x.caught])));
	await tab(page, 'threads');
	is(`${name}: threads`, sorted((await cells(page, 'threads')).map(r => [r[0], r.at(-2), r.at(-1)])), sorted(report.threads.map(t => [t.name || '(no name)', t.insideNs, t.calls])));
	is(`${name}: states of threads, by their spans`, await page.evaluate(`(async () => {
		const wrong = [];
		for (const row of model.index.rows) {
			await loadRow(row);
			const thread = model.report.threads[row.place], split = threadSplit(thread), sums = kindsOf(row, model.begin, model.end);
			KINDS.forEach((kind, i) => Math.round(sums[i]) === (split[kind.key] || 0) || wrong.push([thread.name, kind.key, sums[i], split[kind.key]]));
		}
		return wrong;
	})()`), []);
	const path = json(run.path);
	await tab(page, 'path');
	if (path.segments.length) {
		is(`${name}: the critical path's methods`, sorted((await cells(page, 'path-methods')).map(r => r.slice(0, 2))), sorted(path.methods.map(m => [m.name || '(outside of traced methods)', m.ns])));
		is(`${name}: its waits`, sorted((await cells(page, 'path-waits')).map(r => r[2])), sorted(path.waits.map(w => w.ns)));
	}
}

async function requests(page, name, said) {
	await tab(page, 'overview');
	is(`${name}: requests`, await page.evaluate('model.requests ? [model.requests.requests, model.requests.slowest] : [[], []]'), [said.requests, said.slowest]);
	if (!said.requests.length)
		return;
	is(`${name}: their sums`, sorted((await cells(page, 'requests')).map(r => [r[0].match(/^\w\w [\d.]+:\d+/)[0], ...r.slice(1)])), sorted(said.requests.map(r => [r.where, r.count, rounded(r.ns / r.count), r.p50Ns, r.p90Ns, r.p99Ns, r.longestNs])));
	is(`${name}: the slowest requests`, sorted((await cells(page, 'slow-requests')).map(r => [r[0], r[1]])), sorted(said.slowest.map(r => [r.ns, r.connection])));
	is(`${name}: who asked`, await page.evaluate('model.requests.slowest.map(r => model.report.threads[placeOfThread(r.task, r.asker)].name)'), said.slowest.map(r => r.askerName));
}

async function statements(page, name, said) {
	is(`${name}: statements of SQL`, await page.evaluate('model.sql ? model.sql.statements : []'), said.statements);
	if (said.statements.length)
		is(`${name}: their table`, sorted(await cells(page, 'statements')), sorted(said.statements.map(s => [s.sql?.replace(/\s+/g, ' ') ?? 'their text is unknown', s.executions, s.ns, s.executions ? rounded(s.ns / s.executions) : 0, s.longestNs, s.prepared])));
}

async function slowest(page, name, report) {
	await tab(page, 'overview');
	is(`${name}: the slowest calls`, sorted((await cells(page, 'slowest')).map(r => r.slice(0, 2))), sorted(report.slowest.map(c => [c.ns, c.name])));
	is(`${name}: what they waited for`, await page.evaluate('model.slow.slowest'), report.slowest);
	is(`${name}: each is where the page says`, await page.evaluate(`(async () => {
		const wrong = [];
		for (const c of model.slow.slowest) {
			const row = model.index.rows[placeOfCall(c)];
			await loadRow(row);
			const t = row.tracks[c.stackDepth + 1], i = spanAt(t, c.beginNs);
			if (i < 0 || t.begin[i] !== c.beginNs || t.end[i] !== c.beginNs + c.ns || methodName(t.what[i]) !== c.name)
				wrong.push(c.name);
		}
		return wrong;
	})()`), []);
}

async function ranges(page, name, run) {
	const kinds = await page.evaluate('KINDS.map(kind => kind.key)');
	for (const range of run.ranges) {
		const { from, to } = range, report = json(range.report), at = `${name}, ${from} to ${to} ns`;
		await page.evaluate(`shown.range = [${from}, ${to}], changed('range'), openTab('methods')`);
		const rows = await cells(page, 'range-methods');
		is(`${at}: methods`, sorted(rows.map(r => [r[0], r[1], ...r.slice(2, 5).map(rounded)])),
			sorted(report.methods.map(m => [m.name, m.calls, m.inclusiveNs, m.selfNs.running, m.exclusiveNs]).filter(m => m[1] || m[2])));
		is(`${at}: what methods did`, sorted(await page.evaluate(`treeOf(${from}, ${to}, null).then(t => model.methods.map(m => [m.name, KINDS.map((_, i) => Math.round(t.splits[m.number + 1][i]))]).filter(m => m[1].some(ns => ns)))`)),
			sorted(report.methods.map(m => [m.name, kinds.map(key => m.selfNs[key] || 0)]).filter(m => m[1].some(ns => ns))));
		const percentiles = json(range.percentiles).methods.filter(m => m.exact && m.longestNs);
		is(`${at}: percentiles`, percentiles.map(m => JSON.stringify([m.name, m.p50Ns, m.p90Ns, m.p99Ns, m.p999Ns].map(v => v ?? 0))).filter(m => !rows.some(r => JSON.stringify([r[0], ...r.slice(6, 10)]) === m)), []);
		is(`${at}: flame graph`, sorted(await page.evaluate(`${treeInPage(from, to)}.then(all => all.map(([path, , total, self]) => [path, total, self]).filter(x => x[1]))`)),
			sorted(treeOf(json(range.tree)).map(x => JSON.parse(x)).map(([path, , total, self]) => [path, total, self]).filter(x => x[1])));
		await tab(page, 'waits');
		is(`${at}: waits`, sorted(await page.evaluate(`waitsOfRange(${from}, ${to}).then(list => list.filter(w => w.wait !== 'call').map(w => [w.wait, w.method, w.source, w.line, w.class, w.ns]))`)),
			sorted(together(report.waits).map(w => w.filter((v, i) => i !== 5))));
		is(`${at}: what calls waited by themselves`, callWaits(await page.evaluate(`waitsOfRange(${from}, ${to})`)), callWaits(report.waits));
		is(`${at}: their table`, (await cells(page, 'range-waits')).length > 0 || !told(report.waits).length, true);
		is(`${at}: threads`, await page.evaluate(`(threads => model.index.rows.flatMap(row => {
			const split = threadSplit(threads[row.place]), sums = kindsOf(row, ${from}, ${to});
			return KINDS.filter((kind, i) => Math.round(sums[i]) !== (split[kind.key] || 0)).map(kind => [threads[row.place].name, kind.key]);
		}))(${JSON.stringify(report.threads)})`), []);
	}
	await page.evaluate('shown.range = null, changed("range")');
}

async function differences(page, name, diff) {
	const both = await page.evaluate('[...document.querySelectorAll(".tile dd.note")].length');
	is(`${name}: two runs are compared`, both >= 2, true);
	await page.waitForSelector('section:has(#diff-methods)');
	for (const kind of ['methods', 'roles', 'locks', 'operations', 'requests', 'exceptions']) {
		if (!diff[kind].length)
			continue;
		const metrics = await page.$$eval(`section:has(#diff-${kind}) select option`, list => list.map(o => o.value));
		for (const by of metrics) {
			await page.selectOption(`section:has(#diff-${kind}) select`, by);
			is(`${name}: ${kind}, ${by}`, sorted((await cells(page, `diff-${kind}`)).map(r => r.slice(1, 4))), sorted(diff[kind].map(i => [i[by].a ?? 0, i[by].b ?? 0, i[by].change ?? 0])));
		}
	}
}

for (const run of json(runs_)) {
	const { name } = run, report = json(run.report);
	const page = await open(run.page);
	await overview(page, name, run, report);
	await tables(page, name, run, report);
	await channels(page, name, report);
	is(`${name}: flame graph`, sorted(await page.evaluate(treeInPage(0, report.durationNs))), treeOf(json(run.tree)));
	await requests(page, name, json(run.requests));
	await statements(page, name, json(run.sql));
	await slowest(page, name, json(run.slowest));
	await ranges(page, name, run);
	if (run.diff) {
		await tab(page, 'diff');
		await differences(page, name, json(run.diff));
	}
	const named = await page.evaluate('model.methods.length');
	await page.evaluate(`shown.range = [Math.round(model.end / 4), Math.round(model.end / 2)], shown.query = 'main', shown.method = ${named - 1}, changed('range', 'query'), openTab('methods')`);
	await page.waitForTimeout(500);
	const state = 'JSON.stringify([shown.tab, shown.range, shown.query, shown.method, shown.from, shown.to, [...document.querySelectorAll("#range-methods td")].map(e => e.textContent)])';
	await page.waitForSelector('#range-methods');
	const again = await open(run.page, await page.evaluate('location.hash'));
	await again.waitForSelector('#range-methods');
	is(`${name}: a link shows the same`, await again.evaluate(state), await page.evaluate(state));
	await again.close();
	await page.close();
}
is('no error, and nothing was asked of a network', heard, []);
const page = await open(json(runs_)[0].page);
is('the policy forbids requests, and scripts that are not the page\'s', await page.evaluate(`(async () => {
	const said = [];
	document.addEventListener('securitypolicyviolation', e => said.push(e.effectiveDirective));
	window.owned = false;
	const script = document.createElement('script');
	script.textContent = 'window.owned = true';
	document.body.append(script);
	document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x" onerror="window.owned = true">');
	const answer = await fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'refused');
	await new Promise(resolve => setTimeout(resolve, 300));
	return [answer, window.owned, [...new Set(said)].sort()];
})()`), ['refused', false, ['connect-src', 'img-src', 'script-src-attr', 'script-src-elem']]);
plan();
await browser.close();
