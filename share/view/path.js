// path.js: the critical path, what took the time until the end of the run: a line through the timeline, and its parts as
// tables. It is that of `jweave report --critical-path` (trace/path/path.h).

/** A part of the path. @typedef {{begin: number, end: number, row: number, kind: string, method: string}} Segment */

const PATH_WORDS = /** @type {Record<string, string>} */ ({ runs: 'does something', waits: 'waits, and nobody is known to have ended it', handOver: 'goes on after another thread let it', mixed: 'several short parts' });
const PATH_TIMES = /** @type {[string, string][]} */ ([['running', 'Running'], ['blocked', 'Blocked'], ['waiting', 'Waiting'], ['io', 'I/O'], ['forWork', 'For work'], ['gc', 'GC'], ['other', 'Other'], ['handOver', 'Hand-over']]);

/** Parts that follow each other. @type {Segment[]} */
let pathSegments = [];
let pathBegins = new Float64Array(0), pathEnds = new Float64Array(0);

function readPath() {
	/** @type {Map<string, number>} */
	const places = new Map(model.report.threads.map((/** @type {any} */ t, /** @type {number} */ place) => [`${t.task} ${t.thread}`, place]));
	pathSegments = (model.path ? model.path.segments : []).map((/** @type {any} */ s) => ({ begin: s.beginNs, end: s.endNs, row: places.get(`${s.task} ${s.thread}`) ?? -1, kind: s.kind, method: s.method }))
		.filter((/** @type {Segment} */ s) => s.row >= 0);
	pathBegins = Float64Array.from(pathSegments, s => s.begin);
	pathEnds = Float64Array.from(pathSegments, s => s.end);
}

// ---- in the timeline ----

/** @param {TimelinePicture} timeline @param {CanvasRenderingContext2D} c */
function drawPath(timeline, c) {
	if (!shown.path)
		return;
	const least = (shown.to - shown.from) / (timeline.width - GUTTER) / 2;
	/** @type {Map<number, number>} */
	const lines = new Map(timeline.lines.map(line => [line.row ? line.row.place : -1, line.y + 1.5]));
	c.save();
	c.beginPath();
	c.rect(GUTTER, timeline.stage.scrollTop, timeline.width, timeline.height);
	c.clip();
	c.strokeStyle = paint.path;
	c.lineWidth = 3;
	c.lineJoin = 'round';
	c.beginPath();
	let until = -Infinity, open = false;
	for (let i = Math.max(0, after(pathEnds, shown.from) - 1); i < pathSegments.length && pathBegins[i] <= shown.to; i++) {
		const s = pathSegments[i], y = lines.get(s.row);
		if (y === undefined || (s.end - until < least && i > 0 && pathSegments[i - 1].row === s.row)) {
			open = open && y !== undefined;
			continue;
		}
		if (open)
			c.lineTo(timeline.x(s.begin), y);
		else
			c.moveTo(timeline.x(s.begin), y);
		c.lineTo(timeline.x(s.end), y);
		open = true;
		until = s.end;
	}
	c.stroke();
	c.restore();
}

function togglePath() {
	shown.path = !shown.path;
	changed('path');
}

// ---- as tables ----

/** @param {Segment} s */
function goToSegment(s) {
	const row = model.index ? model.index.rows[s.row] : null;
	if (!row)
		return;
	shown.path = true;
	loadAround(row, s.begin, s.end).then(() => {
		const call = innermost(row, s.begin + (s.end - s.begin) / 2);
		goTo(s.row, Math.max(0, call.level), call.level < 0 ? s.begin : call.begin, call.level < 0 ? s.end : call.end);
		timelineView.setView(s.begin - (s.end - s.begin) * 0.6 - 10, s.end + (s.end - s.begin) * 0.6 + 10);
	});
}

/** @param {number} ns */
function shareOfPath(ns) {
	return percent(ns, model.path.endNs - model.path.beginNs);
}

/** Methods by their names, and by what tells overloads apart; -1: several have it. @type {Map<string, number>} */
const pathNames = new Map();

/** What the path may call M (trace/names/titles.h). @param {Method} m */
function titlesOf(m) {
	const open = m.full.indexOf('('), close = m.full.indexOf(')', open);
	return close < 0 ? [m.name] : [m.name, m.name + m.full.slice(open, close + 1).replace(/[^(), ]*\./g, ''), m.full.slice(0, close + 1)];
}

/** Where NAME is among the methods; -1: nowhere, or nobody knows. @param {string} name */
function placeOfName(name) {
	if (!pathNames.size)
		for (const m of model.methods)
			for (const title of new Set(titlesOf(m)))
				pathNames.set(title, pathNames.has(title) ? -1 : m.number);
	return pathNames.get(name) ?? -1;
}

/** The method NAME, a link to it; WITHOUT: what is said where there is none. @param {string} name @param {string} without */
function pathMethodCell(name, without) {
	const at = placeOfName(name);
	return at < 0 ? name || without : link(name, () => openMethod(at), { title: model.methods[at].full });
}

/** Columns of times that there are. @returns {Column<any>[]} */
function pathColumns() {
	return [times('On the path', s => s.ns, 'without it the run would end so much earlier, at most'), { name: 'Share', value: s => s.ns, cell: s => shareOfPath(s.ns) },
		...PATH_TIMES.filter(([key]) => model.path.byNs[key]).map(([key, name]) => /** @type {Column<any>} */ (times(name, s => s.byNs[key])))];
}

const pathView = {
	/** @param {HTMLElement} into */
	show(into) {
		const pane = el('div', { class: 'pane pad' }), path = model.path;
		into.append(pane);
		if (!path || !pathSegments.length) {
			pane.append(el('p', { class: 'notice' }, model.index ? 'Nothing is on a critical path here: no thread did anything that was recorded.' : 'A summary has sums alone: there is no critical path in it.'));
			return;
		}
		pane.append(wholeRunNotice(), el('h2', {}, 'What took the time until the end'), closedText() ? el('p', { class: 'hint' }, closedText()) : '',
			el('p', { class: 'hint' }, `Followed back from the end of the run in ${labelOf(path.threadName, path.task)}: while a thread does something it is on the path; where it waited, the path goes on in the thread that let it go on. `,
				`${plural(path.hops, 'change')} of threads. If something on it took no time, the run would end so much earlier, at most. `,
				path.coarseNs ? `Parts shorter than ${time(path.coarseNs)} are told by their sums alone. ` : '',
				link('Show it in the timeline', () => {
					shown.path = true;
					openTab('timeline');
				})),
			table('path-methods', 'Methods on the critical path', [{ name: 'Method', text: true, value: m => m.name, cell: m => pathMethodCell(m.name, '(outside of traced methods)') }, ...pathColumns()], path.methods, { sort: 1 }));
		pane.append(el('h2', {}, 'Threads on it'), table('path-threads', 'Threads on the critical path', [{ name: 'Thread', text: true, value: t => labelOf(t.name, t.task) }, ...pathColumns()], path.threads, { sort: 1 }));
		pane.append(el('h2', {}, 'Waits on it that nobody is known to have ended'), table('path-waits', 'Waits on the critical path', [
			{ name: 'For what, and where', text: true, value: waitWhat, cell: w => waitCell(w) },
			{ name: 'Thread', text: true, value: w => labelOf(w.threadName, w.task) }, times('Waited', w => w.ns), { name: 'Share', value: w => w.ns, cell: w => shareOfPath(w.ns) },
		], path.waits, { sort: 2 }));
		pane.append(el('h2', {}, 'Its parts'), table('path-parts', 'Parts of the critical path', [
			{ name: 'Begins', value: s => s.begin, cell: s => link(moment(s.begin, 1000), () => goToSegment(s), { title: 'Show in the timeline' }) },
			times('Takes', s => s.end - s.begin), { name: 'Thread', text: true, value: s => threadLabel(s.row) },
			{ name: 'Method', text: true, value: s => s.method, cell: s => pathMethodCell(s.method, '·') }, { name: 'What', text: true, value: s => PATH_WORDS[s.kind] || s.kind },
		], pathSegments, { sort: 1 }));
	},
};
