// diff.js: what is different from an earlier run (`jweave view NEW --against OLD`): what `jweave diff OLD NEW` says.

const DIFF_KINDS = /** @type {{key: string, name: string, one: string, first: string}[]} */ ([
	{ key: 'methods', name: 'Methods', one: 'Method', first: 'self' }, { key: 'waits', name: 'Waits', one: 'Wait', first: 'waited' },
	{ key: 'roles', name: 'Roles of threads', one: 'Role', first: 'running' },
	{ key: 'locks', name: 'Locks', one: 'Class', first: 'blocked' }, { key: 'operations', name: 'Operations', one: 'Operation', first: 'time' },
	{ key: 'requests', name: 'Requests', one: 'Address', first: 'p99' },
	{ key: 'exceptions', name: 'Exceptions', one: 'Class', first: 'thrown' },
	{ key: 'gc', name: 'Garbage collection', one: 'Collector', first: 'time' }]);
const DIFF_COUNTS = ['calls', 'exceptions', 'threads', 'contended', 'waits', 'count', 'thrown', 'again', 'caught', 'pauses'];
const VERDICTS = /** @type {Record<string, string>} */ ({ same: 'the same', changed: 'has changed', noise: 'no more than noise', small: 'hardly any of the run', 'few-runs': 'too few runs to tell of so many figures', unjudged: 'too few runs to judge', 'at-least': 'at least: not all was recorded', unknown: 'not known' });

// ---- what is known of methods in both runs ----

/** Of each method, from 1, its own time in both runs, and whether it can be compared; undefined: it is not in the difference.
 * @typedef {{a: number, b: number, partly: boolean}} Change @type {Map<number, Change> | null} */
let changes = null;
/** When it is known whose own time holds what closed methods took that they call. @type {Promise<void> | null} */
let holders = null;
/** What the difference has of these methods. @type {Set<any>} */
const holdingRows = new Set();

/** @returns {Map<number, any>} by method, from 1 */
function diffRows() {
	/** @type {Map<string, any>} */
	const rows = new Map((model.diff ? model.diff.methods : []).map((/** @type {any} */ row) => [`${row.class}.${row.name} ${row.label}`, row]));
	return new Map(model.methods.flatMap(m => {
		const open = m.full.indexOf('('), row = rows.get(`${open < 0 ? m.full : m.full.slice(0, open)} ${m.name}`);
		return row && row.self ? [[m.number + 1, row]] : [];
	}));
}

function changesByMethod() {
	changes ||= new Map([...diffRows()].map(([number, row]) => [number, { a: row.self.a ?? 0, b: row.self.b ?? 0, partly: isUnknown(row, 'self') }]));
	return changes;
}

/** Who calls methods that were closed in one of the runs. */
async function findHolders() {
	const rows = diffRows(), partly = new Set([...rows].filter(([, row]) => isPartly(row.self)).map(([number]) => number));
	if (!partly.size || !model.index || model.diff.a.incomplete || model.diff.b.incomplete)
		return;
	const tree = await treeOf(model.begin, model.end, null);
	for (const node of tree.nodes)
		if (partly.has(node.method) && node.parent)
			holdingRows.add(rows.get(tree.nodes[node.parent].method));
	changes = null;
}

/** @returns {Promise<void>} */
function readHolders() {
	holders ||= model.diff ? findHolders() : Promise.resolve();
	return holders;
}

/** What of each kind is shown. @type {Map<string, string>} */
const diffBy = new Map();

/** @param {string} metric @param {number | null} v */
function diffFigure(metric, v) {
	return v === null ? '·' : metric === 'bytes' ? (v < 0 ? `−${bytes(-v)}` : bytes(v)) : DIFF_COUNTS.includes(metric) ? (v < 0 ? `−${count(-v)}` : count(v)) : time(v);
}

/** Was not all recorded in one of the runs, so that nobody knows whether FIGURE has changed? @param {any} figure */
function isPartly(figure) {
	return Boolean(figure) && figure.verdict === 'at-least';
}

/** Or may it hold time of closed methods? @param {any} row @param {string} by */
function isUnknown(row, by) {
	return isPartly(row[by]) || (['self', 'cpu'].includes(by) && holdingRows.has(row));
}

/** @param {any} row @param {string} by */
function verdictOf(row, by) {
	if (row.in !== 'both')
		return row.in === 'a' ? 'only in the earlier run' : 'only in this run';
	return !isPartly(row[by]) && isUnknown(row, by) ? 'holds time of closed methods' : VERDICTS[row[by].verdict] || row[by].verdict;
}

/** As `jweave diff` has them: what has changed before what nobody can tell, and that before noise. @param {any} figure */
function rankOf(figure) {
	return figure.verdict === 'changed' ? 0 : ['few-runs', 'unjudged'].includes(figure.verdict) ? 1 : 2;
}

/** @param {any} figure @param {boolean} isKnown */
function diffPercent(figure, isKnown) {
	if (figure.percent === null || !isKnown)
		return '·';
	return `${figure.percent > 0 ? '+' : figure.percent < 0 ? '−' : ''}${Math.abs(figure.percent).toFixed(1)} %`;
}

/** @param {string} metric @param {number | null} v @param {boolean} signed @param {boolean} coloured */
function diffCell(metric, v, signed, coloured = signed) {
	return el('span', { 'data-n': v === null ? '' : v, class: coloured && v ? (v > 0 ? 'more-of-it' : 'less-of-it') : null }, `${signed && v !== null && v > 0 ? '+' : ''}${diffFigure(metric, v)}`);
}

/** What is unknown of ROWS, as `jweave diff` says it, and of whose self time. @param {{key: string}} kind @param {any[]} rows @param {string} by */
function partlyText(kind, rows, by) {
	const n = rows.filter(row => isPartly(row[by])).length, holding = rows.filter(row => !isPartly(row[by]) && isUnknown(row, by)).length;
	const parts = [];
	if (n)
		parts.push(`${kind.key === 'methods' ? plural(n, 'method') : `${count(n)} of these`} ${n === 1 ? 'was' : 'were'} not all recorded in one of the runs`);
	if (holding)
		parts.push(`the self time of ${plural(holding, 'method')} holds that of closed ones which ${holding === 1 ? 'it calls' : 'they call'}`);
	return parts.length ? `${parts.join(', and ')}: nobody knows whether that has changed, so ${n + holding === 1 ? 'it comes' : 'they come'} last, in grey.` : '';
}

/** What ROWS of KIND are compared by at first: where times are not judged, a count that has changed for certain.
 * @param {{first: string}} kind @param {any[]} rows @param {string[]} metrics */
function firstMetric(kind, rows, metrics) {
	const certain = model.diff.judged ? undefined : metrics.find(metric => DIFF_COUNTS.includes(metric) && rows.some(row => row[metric].verdict === 'changed'));
	return certain || (metrics.includes(kind.first) ? kind.first : metrics[0]);
}

/** @param {{key: string, name: string, one: string, first: string}} kind @param {HTMLElement} into */
function showDiffKind(kind, into) {
	const rows = model.diff[kind.key];
	const metrics = Object.keys(rows[0]).filter(key => rows[0][key] && typeof rows[0][key] === 'object' && 'verdict' in rows[0][key]);
	const by = diffBy.get(kind.key) || firstMetric(kind, rows, metrics);
	const list = /** @type {HTMLSelectElement} */ (el('select', {}, ...metrics.map(m => el('option', { value: m }, m))));
	list.value = by;
	list.addEventListener('change', () => {
		diffBy.set(kind.key, list.value);
		into.replaceChildren();
		showDiffKind(kind, into);
		into.querySelector('select')?.focus();
	});
	const matches = kind.key === 'methods' && found ? matcher(shown.query) : null; // of both runs
	const shownRows = matches ? rows.filter((/** @type {any} */ row) => matches(`${row.label} ${row.class}.${row.name}${row.descriptor}`)) : rows;
	const partly = partlyText(kind, rows, by);
	into.append(el('h2', {}, kind.name), partly ? el('p', { class: 'notice closed' }, partly) : '', el('label', { class: 'choose' }, 'Compare ', list),
		table(`diff-${kind.key}`, `${kind.name}, by ${by}`, [
			{ name: kind.one, text: true, value: r => r.title ?? r.label, cell: r => el('span', { class: 'method', title: r.descriptor ? `${r.class}.${r.name}${r.descriptor}` : r.label }, r.title ?? r.label, r.was ? el('small', {}, `was ${r.was}`) : null) },
			{ name: 'Earlier', value: r => r[by].a ?? -1, cell: r => diffCell(by, r[by].a, false) },
			{ name: 'This run', value: r => r[by].b ?? -1, cell: r => diffCell(by, r[by].b, false) },
			{ name: 'Change', value: r => Math.abs(r[by].change ?? 0), cell: r => diffCell(by, r[by].change, true, !isUnknown(r, by)) },
			{ name: '%', value: r => r[by].percent ?? 0, cell: r => diffPercent(r[by], !isUnknown(r, by)) },
			{ name: 'Judged', text: true, value: r => verdictOf(r, by) },
		], shownRows, { sort: 3, last: r => isUnknown(r, by), rank: r => rankOf(r[by]) }));
}

const diffView = {
	/** @param {HTMLElement} into */
	async show(into) {
		const pane = el('div', { class: 'pane pad' }), { a, b, judged } = model.diff;
		into.append(pane);
		pane.append(wholeRunNotice(), el('h2', {}, 'What is different'),
			el('dl', { class: 'tiles' }, tile('Earlier', time(a.durationNs), `${a.source}, ${plural(a.runs, 'run')}`), tile('This run', time(b.durationNs), `${b.source}, ${plural(b.runs, 'run')}`),
				tile('Change', `${b.durationNs > a.durationNs ? '+' : ''}${time(b.durationNs - a.durationNs)}`, a.durationNs ? `${b.durationNs < a.durationNs ? '−' : '+'}${Math.abs((b.durationNs / a.durationNs - 1) * 100).toFixed(1)} %` : '')),
			judged ? '' : el('p', { class: 'hint' }, 'Times of single runs differ by chance, too: with several runs of each (folders of them) times are judged.'));
		await readHolders();
		for (const kind of DIFF_KINDS)
			if ((model.diff[kind.key] || []).length) {
				const part = el('section');
				pane.append(part);
				showDiffKind(kind, part);
			}
	},
};
