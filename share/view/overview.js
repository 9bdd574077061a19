// overview.js: where the time went, at one glance.

const SHOWN_METHODS = 12, SHOWN_WAITS = 10, SHOWN_THREADS = 16;

/** @param {string} name @param {string} value @param {string} note @param {number | null} exact */
function tile(name, value, note = '', exact = null) {
	return el('div', { class: 'tile' }, el('dt', {}, name), el('dd', { 'data-n': exact }, value), note ? el('dd', { class: 'note' }, note) : null);
}

/** Why no process tells its CPU time: it is written at the end of a recording that has all of the run. */
function withoutCpu() {
	if (!model.index)
		return 'a summary does not tell it';
	if (isPart())
		return 'known of the whole run alone';
	if (withoutEnd())
		return 'told at the end, which is not there';
	return isDoubtful() ? 'not in what could be read' : 'not in the recording: a flight recorder does not tell it';
}

/** One that was killed does not tell its CPU time: then that of the others is known. */
function cpuTile() {
	const r = model.report, told = model.processes.filter(p => p.cpu), ns = r.cpuNs || told.reduce((n, p) => n + p.cpu, 0);
	if (!ns)
		return tile('CPU time', '–', withoutCpu());
	return tile('CPU time', r.cpuNs ? time(ns) : `≥ ${time(ns)}`, r.cpuNs ? `${(ns / r.durationNs).toFixed(2)} processors busy` : `of ${count(told.length)} of ${count(model.processes.length)} processes, which told it`, ns);
}

function tiles() {
	const r = model.report, gc = r.gcPauses;
	const lives = r.threads.reduce((/** @type {number} */ n, /** @type {any} */ t) => n + t.runningNs, 0);
	const lacks = r.threads.some((/** @type {any} */ t) => threadSplit(t).off);
	return el('dl', { class: 'tiles' },
		tile('Duration', time(r.durationNs), '', r.durationNs),
		cpuTile(),
		tile('Threads', count(r.threadCount), r.statesKnown ? `${time(lives)} running in all${lacks ? ', of what was recorded' : ''}` : '', r.threadCount),
		tile('Methods', count(r.methodCount), model.methods.length && model.methods[0].calls ? '' : !model.methods.length && !isPart() && isDoubtful() ? 'none in what could be read' : 'none was called', r.methodCount),
		tile('Calls', count(r.calls), r.calls ? `one each ${time(r.durationNs / r.calls)}` : '', r.calls),
		tile('GC pauses', count(gc.count), gc.count ? `${time(gc.ns)}, the longest ${time(gc.longestNs)}` : 'none recorded', gc.count));
}

/** Did --thread, --from or another option leave out a part of the run? */
function isPart() {
	return (model.about.part || []).length > 0;
}

/** Do the warnings say of the recordings what may be why something is not there? */
function isDoubtful() {
	return (model.about.warnings || []).length > 0;
}

/** Why there are no methods. Where recordings are damaged nobody knows whether some ran. */
function noMethod() {
	if (isPart())
		return 'No method ran in this part of the run.';
	return isDoubtful() ? 'No method is in what could be read: why, the warnings of the overview may say.' : 'No method was recorded: the rules chose none that ran, or recording was off.';
}

/** That recordings have no end; '': all have. */
function withoutEnd() {
	const n = model.about.withoutEnd || 0, all = (model.about.inputs || []).length;
	if (!n)
		return '';
	return `${all === 1 ? 'The program' : n === all ? `All ${count(n)} processes` : `${count(n)} of ${count(all)} processes`} did not end normally, or ${n === 1 ? 'is' : 'are'} still running: what is shown ends where ${n === 1 ? 'it was' : 'they were'} last seen.`;
}

function notices() {
	const list = [];
	if (isPart())
		list.push(el('li', {}, 'This page shows a part of the run, and all figures are of that part: ', ...model.about.part.map((/** @type {string} */ option) => el('code', {}, `${option} `))));
	if (withoutEnd())
		list.push(el('li', {}, withoutEnd()));
	for (const text of model.about.warnings || [])
		list.push(el('li', {}, text));
	if (!model.index)
		list.push(el('li', {}, 'This is a summary: it has sums, but no timeline.'));
	if (model.index && model.index.deeper)
		list.push(el('li', {}, `${plural(model.index.deeper, 'call')} nested deeper than ${model.index.levels} levels ${model.index.deeper === 1 ? 'is' : 'are'} counted, but not in the timeline.`));
	const closed = closedText();
	if (closed)
		list.push(el('li', {}, closed));
	return list.length ? el('ul', { class: 'notices', 'aria-label': 'To be known' }, ...list) : null;
}

/** @param {string} title @param {Node} content @param {string} all @param {string} tab */
function card(title, content, all = '', tab = '') {
	return el('section', { class: 'card' }, el('header', {}, el('h2', {}, title), all ? link(all, () => openTab(tab)) : null), content);
}

function costliest() {
	const known = model.report.statesKnown, likely = likelyKnown();
	const key = (/** @type {Method} */ m) => likely ? m.likely : known ? m.running : m.self;
	const methods = [...model.methods].sort((a, b) => key(b) - key(a)).slice(0, SHOWN_METHODS);
	const most = Math.max(1, ...methods.map(m => m.self));
	if (!methods.length)
		return el('p', { class: 'empty' }, noMethod());
	return el('table', { class: 'list', id: 'costliest' }, el('thead', {}, el('tr', {}, el('th', { class: 'text', scope: 'col' }, 'Method'),
		likely ? el('th', { scope: 'col', title: LIKELY }, 'Likely') : null, el('th', { scope: 'col' }, known ? 'Running' : 'Self'), el('th', { class: 'wide', scope: 'col' }, el('span', { class: 'hidden' }, 'Self by state')), el('th', { scope: 'col' }, 'Total'), el('th', { scope: 'col' }, 'Calls'))),
	el('tbody', {}, ...methods.map(m => el('tr', {}, el('td', { class: 'text' }, methodCell(m)), likely ? el('td', {}, timeCell(m.likely)) : null, el('td', {}, timeCell(m.running)),
		el('td', { class: 'wide' }, splitBar(ownParts(m), most)), el('td', {}, timeCell(m.total)), el('td', {}, callsCell(m))))));
}

function waitedFor() {
	const waits = model.report.waits.slice(0, SHOWN_WAITS);
	if (!waits.length)
		return el('p', { class: 'empty' }, model.report.statesKnown ? 'No thread waited, as far as was recorded.' : 'A summary does not tell what was waited for.');
	const most = Math.max(1, ...waits.map((/** @type {any} */ w) => w.ns));
	return el('table', { class: 'list', id: 'waited-for' }, el('thead', {}, el('tr', {}, el('th', { class: 'text', scope: 'col' }, 'For what, and where'), el('th', { scope: 'col' }, 'Waited'),
		el('th', { class: 'wide', scope: 'col' }, el('span', { class: 'hidden' }, 'Share')), el('th', { scope: 'col' }, 'Times'))),
	el('tbody', {}, ...waits.map((/** @type {any} */ w, /** @type {number} */ i) => el('tr', {}, el('td', { class: 'text' }, waitCell(w, () => openWait(i))), el('td', {}, timeCell(w.ns)),
	el('td', { class: 'wide' }, splitBar({ [kindOfWait(w)]: w.ns }, most)), el('td', {}, countCell(w.count))))));
}

function busiestThreads() {
	const r = model.report;
	const rows = r.threads.map((/** @type {any} */ thread, /** @type {number} */ place) => ({ thread, place }))
		.sort((/** @type {any} */ a, /** @type {any} */ b) => b.thread.runningNs - a.thread.runningNs || b.thread.insideNs - a.thread.insideNs || b.thread.lifeNs - a.thread.lifeNs).slice(0, SHOWN_THREADS);
	if (!rows.length)
		return el('p', { class: 'empty' }, 'No thread was recorded.');
	return el('div', {}, r.statesKnown ? legend() : null, el('table', { class: 'list', id: 'busiest' }, el('thead', {}, el('tr', {}, el('th', { class: 'text', scope: 'col' }, 'Thread'),
		el('th', { class: 'wider', scope: 'col' }, el('span', { class: 'hidden' }, 'What it did')), el('th', { scope: 'col' }, r.statesKnown ? 'Running' : 'Life'), el('th', { scope: 'col' }, 'In methods'), el('th', { scope: 'col' }, 'Calls'))),
	el('tbody', {}, ...rows.map((/** @type {any} */ row) => el('tr', {}, el('td', { class: 'text' }, el('span', { class: 'method' }, threadCell(row.thread, row.place), severalProcesses() ? el('small', {}, processOf(row.thread.task)?.name ?? '') : null)),
		el('td', { class: 'wider' }, r.statesKnown ? splitBar(threadSplit(row.thread), r.durationNs) : ''), el('td', {}, timeCell(r.statesKnown ? row.thread.runningNs : row.thread.lifeNs)),
		el('td', {}, timeCell(row.thread.insideNs)), el('td', {}, countCell(row.thread.calls)))))));
}

const overviewView = {
	/** @param {HTMLElement} into */
	show(into) {
		const r = model.report;
		into.append(el('div', { class: 'overview' }, wholeRunNotice(), notices(), tiles(), severalProcesses() ? card('Processes', processTable()) : null, el('div', { class: 'cards' },
			card('Costliest methods', costliest(), r.methodCount > SHOWN_METHODS ? `All ${count(r.methodCount)}` : '', 'methods'),
			card('What was waited for', waitedFor(), r.waits.length > SHOWN_WAITS ? `All ${count(r.waits.length)}` : '', 'waits')),
		model.tasks ? card('Tasks', taskTable()) : null,
		model.requests ? card('Requests', requestTables()) : null,
		model.sql ? card('Statements of SQL', statementTable()) : null,
		model.contexts.all ? card('Traces of OpenTelemetry', contextTable()) : null,
		model.slow && model.slow.slowest.length ? card('Slowest calls', slowestCalls()) : null,
		card('Threads', busiestThreads(), r.threadCount > SHOWN_THREADS ? `All ${count(r.threadCount)}` : '', 'threads')));
	},
};
