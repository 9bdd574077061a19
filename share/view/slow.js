// slow.js: the slowest calls, those that took much longer than is usual first, with their reasons; single waits: what for, where, and who ended them, doing what. They are those of
// `jweave report --slowest` (trace/slowest/slowest.h); of waits the page has the longest 20,000.

/** @typedef {{row: number, begin: number, end: number, raw: any, ender: number, method: string, received: number}} SingleWait */

/** Single waits by their beginnings; of each row. */
const singles = {
	/** @type {SingleWait[]} */ all: [],
	/** @type {Map<number, SingleWait[]>} */ byRow: new Map(),
	complete: true,
};

function readSlow() {
	for (const w of model.slow ? model.slow.waits : []) {
		const one = { row: w.row, begin: w.beginNs, end: w.beginNs + w.ns, raw: w, ender: w.enderRow ?? -1, method: w.enderMethod || '', received: w.receivedNs || 0 };
		singles.all.push(one);
		const list = singles.byRow.get(w.row);
		if (list)
			list.push(one);
		else
			singles.byRow.set(w.row, [one]);
	}
	singles.complete = !model.slow || model.slow.waitCount === singles.all.length;
}

/** Those of ROW that overlap BEGIN to END. @param {number} row @param {number} begin @param {number} end */
function waitsIn(row, begin, end) {
	return (singles.byRow.get(row) || []).filter(w => w.begin < end && w.end > begin);
}

/** What of KINDS a wait is. @param {any} w of the report */
function kindOfWait(w) {
	const io = ['select', 'poll', 'accept', 'connect', 'read', 'write', 'force', 'fileLock'].includes(w.wait);
	return w.wait === 'enter' ? 'blocked' : w.wait === 'work' || w.wait === 'requests' ? 'forWork' : io ? 'io' : 'waiting';
}

/** By what waits are one line of the report. @param {any} w */
function waitKey(w) {
	return [w.wait, w.callee, w.method, w.source, w.line, w.class].join('\n');
}

/** Who ends such a wait had what is waited for, a monitor or a lock, or ends it by a word; as trace_wait_by() says (trace/report/stalls.h).
 * @param {any} raw */
function endedBy(raw) {
	return raw.wait === 'enter' || (raw.wait === 'park' && /Lock\$.*Sync$|^java\.util\.concurrent\.locks\.StampedLock$/.test(raw.class)) ? 'Held by' : 'Let go on by';
}

/** Where who ended W did so, in the timeline. @param {SingleWait} w */
async function goToEnder(w) {
	const a = model.arrows, i = a ? (arrowsByRow().to.get(w.row) || []).find(k => a.received[k] === w.received && a.from[k] === w.ender) : undefined;
	const when = a && i !== undefined ? a.sent[i] : Math.min(w.end, w.received);
	if (!model.index)
		return;
	await loadAround(model.index.rows[w.ender], when, when);
	const call = innermost(model.index.rows[w.ender], when);
	goTo(w.ender, call.level, call.begin, call.end, when);
}

/** "THREAD in METHOD", a link. @param {SingleWait} w */
function enderCell(w) {
	if (w.ender < 0)
		return '·';
	return link(`${threadLabel(w.ender)}${w.method ? ` in ${w.method}` : ''}`, () => goToEnder(w), { title: 'Show it in the timeline' });
}

/** @param {SingleWait} w */
function goToWait(w) {
	goTo(w.row, 0, w.begin, w.end);
}

/** What a call, or a state, waited for: each a link, and who ended it. @param {number} row @param {number} begin @param {number} end */
function waitList(row, begin, end) {
	const list = waitsIn(row, begin, end).sort((a, b) => b.raw.ns - a.raw.ns);
	if (!list.length)
		return null;
	return el('div', {}, el('h3', {}, 'It waited'), el('ul', { class: 'reasons', id: 'reasons' }, ...list.slice(0, 8).map(w => el('li', {},
		link(time(w.raw.ns), () => goToWait(w), { title: 'The wait, in the timeline' }), ` ${waitText(w.raw)}`,
		el('small', {}, `in ${waitWhere(w.raw)}`), w.ender < 0 ? null : el('div', {}, `${endedBy(w.raw)} `, enderCell(w)))),
	list.length > 8 ? el('li', {}, el('small', {}, `and ${count(list.length - 8)} more`)) : null));
}

// ---- the slowest calls ----

/** @param {any} c of the report */
function placeOfCall(c) {
	return placeOfThread(c.task, c.thread);
}

/** What most of a call's time was. @param {any} c */
function reasonOf(c) {
	const part = c.parts.find((/** @type {any} */ p) => !p.rest), ns = (/** @type {string} */ key) => c.insideNs[key] || 0;
	if (part && ['running', 'gc', 'other'].every(key => ns(key) <= part.ns)) // what is no wait
		return reasonOfPart(part);
	const most = KINDS.reduce((best, kind) => ns(kind.key) > ns(best.key) ? kind : best, KINDS[0]), where = c.within.length ? ` in ${c.within[c.within.length - 1]}` : '';
	return `${most.name} ${percent(ns(most.key), c.ns)}${most.key === 'gc' && c.gcPauses ? `, ${plural(c.gcPauses, 'pause')}` : ''}${where}${part ? `; ${reasonOfPart(part)}` : ''}`;
}

/** @param {any} p */
function reasonOfPart(p) {
	const first = p.enders[0], more = p.enders.length - 1;
	const ender = first ? ` — ${endedBy(p).toLowerCase()} ${labelOf(first.threadName, first.task)}${first.method ? ` in ${first.method}` : ''}${more ? ` and ${plural(more, 'other')}` : ''}` : '';
	if (p.io !== undefined)
		return `${time(p.ns)} ${p.io || 'I/O'}${p.channel ? ` ${p.channel}` : ''}${p.bytes ? `, ${bytes(p.bytes)}` : ''}${ender}`;
	return `${time(p.ns)} ${waitText(p)} in ${waitWhere(p)}${p.count > 1 ? `, ${count(p.count)} times` : ''}${ender}`;
}

/** What it, or a call in it, has captured, and the nearest caller that has: the first of them, and the others when asked. @param {any} c */
function saidOf(c) {
	return [{ head: '', list: c.captured || [] }, ...c.around ? [{ head: `in ${c.around.name}, `, list: c.around.captured }] : []].filter(({ list }) => list.length).map(({ head, list }) => {
		const said = list.map((/** @type {any} */ v) => `${v.label}: ${v.text ?? v.value}${v.count > 1 ? ` (${count(v.count)} times)` : ''}`);
		return el('small', { title: head + said.join('\n') }, `${head}${said[0]}${said.length > 1 ? `, and ${count(said.length - 1)} more` : ''}`);
	});
}

function slowestCalls() {
	const calls = model.slow ? model.slow.slowest : [];
	// the others come first where the unusual ones took microseconds
	const sort = calls.length && calls[0].overNs ? 2 : 0;
	/** @type {Column<any>[]} */
	const columns = [times('Took', c => c.ns),
		{ name: 'Call', text: true, value: c => c.name, cell: c => el('span', { class: 'method', title: c.stack.join('\n') }, link(c.name, () => goTo(placeOfCall(c), c.stackDepth + 1, c.beginNs, c.beginNs + c.ns), { title: 'Show in the timeline' }),
			el('small', { title: c.threadName }, `${withoutMiddle(labelOf(c.threadName, c.task), 54)}${c.littleElse ? ', which does little else' : ''}`)) },
		{ name: 'Over usual', title: 'how much longer it took than calls reached in the same way usually do', value: c => c.overNs, cell: c => !c.usualNs ? el('small', {}, `called ${c.of === 1 ? 'once' : `${count(c.of)} times`}`)
			: el('span', { title: `usually ${time(c.usualNs)} (${count(c.of)} calls${c.first ? ', of which it was the first' : ''})` }, c.overNs ? `+${time(c.overNs)}` : '·') },
		{ name: 'Began', value: c => c.beginNs, cell: c => moment(c.beginNs, (model.end - model.begin) / 10000) },
		{ name: 'By state', value: c => c.insideNs.running, cell: c => splitBar(c.insideNs, Math.max(1, c.ns)) },
		{ name: 'What it waited for', text: true, value: reasonOf, cell: c => el('span', { class: 'reason', title: c.parts.map(reasonOfPart).join('\n') }, reasonOf(c), ...saidOf(c)) }];
	return table('slowest', 'The slowest calls', columns, calls, { sort, first: 10, last: c => c.littleElse, empty: 'No call was recorded.' });
}

// ---- the waits of one line of the report ----

/** @param {HTMLElement} into */
function showWait(into) {
	fillAgain(into, into, () => fillWait(into));
}

/** @param {HTMLElement} into */
function fillWait(into) {
	const w = shown.wait === null ? null : model.report.waits[shown.wait];
	if (!w) {
		into.append(el('p', { class: 'hint' }, 'Choose a line to see its single waits, and who ended them.'));
		return;
	}
	const inRange = shown.range ? ', in the range' : '', ofRun = shown.range ? ', of the whole run' : '';
	const key = waitKey(w), parts = new Map(shown.range ? partsKnown().map(p => [p.one, p.ns]) : singles.all.map(one => [one, one.raw.ns]));
	const part = (/** @type {SingleWait} */ one) => parts.get(one) || 0, list = [...parts.keys()].filter(one => waitKey(one.raw) === key).sort((a, b) => part(b) - part(a));
	/** @type {Map<string, {ns: number, count: number}>} */
	const by = new Map();
	for (const one of list.filter(x => x.ender >= 0)) {
		const name = `${threadLabel(one.ender)}${one.method ? ` in ${one.method}` : ''}`, sum = by.get(name) || { ns: 0, count: 0 };
		sum.ns += Math.min(part(one), one.raw.enderNs ?? one.raw.ns);
		sum.count++;
		by.set(name, sum);
	}
	into.append(el('h2', {}, waitWhat(w)), el('p', { class: 'sub' }, `${waitHow(w)}, ${w.method ? 'in ' : ''}${waitWhere(w)}`),
		...shown.range ? [el('h3', {}, 'In the range'), factList([['Waited', time(list.reduce((ns, one) => ns + part(one), 0))], ['Times', count(list.length)], ['Longest', list.length ? time(part(list[0])) : '']]), el('h3', {}, 'In the whole run')] : [],
		factList([['Waited', time(w.ns)], ['Times', count(w.count)], ['Longest', time(w.longestNs)]]));
	if (waitCallers(w).length)
		into.append(el('h3', {}, `Called by${ofRun}`), el('table', { class: 'list', id: 'wait-callers' }, el('tbody', {}, ...waitCallers(w).slice(0, 10).map(c => el('tr', {}, el('td', { class: 'text', title: c.method }, c.method), el('td', {}, time(c.ns)), el('td', {}, count(c.count)))))));
	if (by.size)
		into.append(el('h3', {}, endedBy(w) + inRange), el('table', { class: 'list' }, el('tbody', {}, ...[...by].sort((a, b) => b[1].ns - a[1].ns).slice(0, 10).map(([name, sum]) => el('tr', {}, el('td', { class: 'text', title: name }, name), el('td', {}, time(sum.ns)), el('td', {}, count(sum.count)))))));
	if (list.length)
		into.append(el('h3', {}, (list.length === 1 ? 'Its wait' : list.length > 20 ? 'The 20 longest waits' : `The ${list.length} waits`) + inRange), el('ul', { class: 'reasons', id: 'single-waits' }, ...list.slice(0, 20).map(one => el('li', {},
			link(time(one.raw.ns), () => goToWait(one), { title: 'Show in the timeline' }), part(one) < one.raw.ns ? `, of which ${time(part(one))} in the range,` : '', ` at ${moment(one.begin, 1000)}, ${threadLabel(one.row)}`, one.ender < 0 ? null : el('div', {}, `${endedBy(one.raw)} `, enderCell(one))))));
	if (!singles.complete)
		into.append(el('p', { class: 'hint' }, `This page has the ${count(singles.all.length)} longest of ${count(model.slow.waitCount)} single waits.`));
}
