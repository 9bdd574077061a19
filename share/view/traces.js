// traces.js: traces of OpenTelemetry: which were current in which thread, from when to when; a click leads to the calls.

/** @typedef {{row: number, begin: number, end: number, trace: string, span: string}} Context */

/** Stretches of time in which one thread had one span: those that the page has, and how many there were.
 * @returns {Promise<{all: number, list: Context[]}>} */
async function readContexts() {
	const packed = await section('contexts');
	if (!packed.length)
		return { all: 0, list: [] };
	const c = new Cursor(packed), all = c.next();
	const id = () => c.next().toString(16).padStart(8, '0') + c.next().toString(16).padStart(8, '0');
	const list = Array.from({ length: c.next() }, () => {
		const row = c.next(), begin = c.next();
		return { row, begin, end: begin + c.next(), trace: id() + id(), span: id() };
	});
	return { all, list };
}

/** The first digits of an id, if QUERY is that; else "". @param {string} query */
function traceQuery(query) {
	const text = query.trim().toLowerCase();
	return /^[0-9a-f]{8,32}$/.test(text) && model.contexts.list.some(c => c.trace.startsWith(text)) ? text : '';
}

/** What was current in the row PLACE at a time; null: nothing. @param {number} place @param {number} at */
function contextAt(place, at) {
	return model.contexts.list.find(c => c.row === place && c.begin <= at && at < c.end) || null;
}

/** The first call that began in C, in the timeline. @param {{row: number, begin: number, end: number}} c */
async function goToSpan(c) {
	const row = model.index ? model.index.rows[c.row] : null;
	if (!row)
		return;
	await loadAround(row, c.begin, c.end);
	const best = firstCall(row, c.begin, c.end) || { level: 0, begin: c.begin, end: c.end };
	await goTo(c.row, best.level, best.begin, best.end);
	timelineView.setView(c.begin - (c.end - c.begin) * 0.2 - 10, c.end + (c.end - c.begin) * 0.2 + 10);
}

function contextTable() {
	const query = traceQuery(shown.query), list = query ? model.contexts.list.filter(c => c.trace.startsWith(query)) : model.contexts.list;
	/** @type {Column<any>[]} */
	const columns = [{ name: 'Began', value: c => c.begin, cell: c => moment(c.begin, (model.end - model.begin) / 10000) },
		times('Lasted', c => c.end - c.begin),
		{ name: 'Trace', text: true, value: c => c.trace, cell: c => link(c.trace, () => {
			shown.query = c.trace;
			changed('query');
		}, { title: 'Show this trace alone' }) },
		{ name: 'Span', text: true, value: c => c.span },
		{ name: 'Thread', text: true, value: c => threadLabel(c.row), cell: c => model.index ? link(threadLabel(c.row), () => goToSpan(c), { title: 'Show its calls in the timeline' }) : threadLabel(c.row) }];
	const left = model.contexts.all - model.contexts.list.length;
	return el('div', {}, el('p', { class: 'hint' }, `${plural(new Set(list.map(c => c.trace)).size, 'trace')}, ${plural(new Set(list.map(c => c.row)).size, 'thread')}${query ? ` of ${query}` : ''}${left ? `; ${count(left)} later ones are not in the page` : ''}.`),
		table('contexts', 'Traces of OpenTelemetry', columns, list, { sort: 0, up: true, first: 10 }));
}
