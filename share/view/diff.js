// diff.js: what is different from an earlier run (`jweave view NEW --against OLD`): what `jweave diff OLD NEW` says.

const DIFF_KINDS = /** @type {{key: string, name: string, one: string, first: string}[]} */ ([
	{ key: 'methods', name: 'Methods', one: 'Method', first: 'self' }, { key: 'waits', name: 'Waits', one: 'Wait', first: 'waited' },
	{ key: 'roles', name: 'Roles of threads', one: 'Role', first: 'running' },
	{ key: 'locks', name: 'Locks', one: 'Class', first: 'blocked' }, { key: 'operations', name: 'Operations', one: 'Operation', first: 'time' },
	{ key: 'requests', name: 'Requests', one: 'Address', first: 'p99' },
	{ key: 'exceptions', name: 'Exceptions', one: 'Class', first: 'thrown' }]);
const DIFF_COUNTS = ['calls', 'exceptions', 'threads', 'contended', 'waits', 'count', 'thrown', 'again', 'caught'];
const VERDICTS = /** @type {Record<string, string>} */ ({ same: 'the same', changed: 'has changed', noise: 'no more than noise', small: 'hardly any of the run', unjudged: 'too few runs to judge', 'at-least': 'at least: not all was recorded', unknown: 'not known' });

/** What of each kind is shown. @type {Map<string, string>} */
const diffBy = new Map();

/** @param {string} metric @param {number | null} v */
function diffFigure(metric, v) {
	return v === null ? '·' : metric === 'bytes' ? (v < 0 ? `−${bytes(-v)}` : bytes(v)) : DIFF_COUNTS.includes(metric) ? (v < 0 ? `−${count(-v)}` : count(v)) : time(v);
}

/** @param {string} metric @param {number | null} v @param {boolean} signed */
function diffCell(metric, v, signed) {
	return el('span', { 'data-n': v === null ? '' : v, class: signed && v ? (v > 0 ? 'more-of-it' : 'less-of-it') : null }, `${signed && v !== null && v > 0 ? '+' : ''}${diffFigure(metric, v)}`);
}

/** @param {{key: string, name: string, one: string, first: string}} kind @param {HTMLElement} into */
function showDiffKind(kind, into) {
	const rows = model.diff[kind.key];
	const metrics = Object.keys(rows[0]).filter(key => rows[0][key] && typeof rows[0][key] === 'object' && 'verdict' in rows[0][key]);
	const by = diffBy.get(kind.key) || (metrics.includes(kind.first) ? kind.first : metrics[0]);
	const list = /** @type {HTMLSelectElement} */ (el('select', {}, ...metrics.map(m => el('option', { value: m }, m))));
	list.value = by;
	list.addEventListener('change', () => {
		diffBy.set(kind.key, list.value);
		into.replaceChildren();
		showDiffKind(kind, into);
		into.querySelector('select')?.focus();
	});
	const shownRows = kind.key === 'methods' && found ? rows.filter((/** @type {any} */ row) => model.methods.some((m, i) => found && found.has(i + 1) && m.name === row.label)) : rows;
	into.append(el('h2', {}, kind.name), el('label', { class: 'choose' }, 'Compare ', list),
		table(`diff-${kind.key}`, `${kind.name}, by ${by}`, [
			{ name: kind.one, text: true, value: r => r.label, cell: r => el('span', { class: 'method', title: r.descriptor ? `${r.class}.${r.name}${r.descriptor}` : r.label }, r.label, r.was ? el('small', {}, `was ${r.was}`) : null) },
			{ name: 'Earlier', value: r => r[by].a ?? -1, cell: r => diffCell(by, r[by].a, false) },
			{ name: 'This run', value: r => r[by].b ?? -1, cell: r => diffCell(by, r[by].b, false) },
			{ name: 'Change', value: r => Math.abs(r[by].change ?? 0), cell: r => diffCell(by, r[by].change, true) },
			{ name: '%', value: r => r[by].percent ?? 0, cell: r => r[by].percent === null ? '·' : `${r[by].percent > 0 ? '+' : r[by].percent < 0 ? '−' : ''}${Math.abs(r[by].percent).toFixed(1)} %` },
			{ name: 'Judged', text: true, value: r => r.in === 'a' ? 'only in the earlier run' : r.in === 'b' ? 'only in this run' : VERDICTS[r[by].verdict] || r[by].verdict },
		], shownRows, { sort: 3 }));
}

const diffView = {
	/** @param {HTMLElement} into */
	show(into) {
		const pane = el('div', { class: 'pane pad' }), { a, b, judged } = model.diff;
		into.append(pane);
		pane.append(el('h2', {}, 'What is different'),
			el('dl', { class: 'tiles' }, tile('Earlier', time(a.durationNs), `${a.source}, ${plural(a.runs, 'run')}`), tile('This run', time(b.durationNs), `${b.source}, ${plural(b.runs, 'run')}`),
				tile('Change', `${b.durationNs > a.durationNs ? '+' : ''}${time(b.durationNs - a.durationNs)}`, a.durationNs ? `${b.durationNs < a.durationNs ? '−' : '+'}${Math.abs((b.durationNs / a.durationNs - 1) * 100).toFixed(1)} %` : '')),
			judged ? '' : el('p', { class: 'hint' }, 'Times of single runs differ by chance, too: with several runs of each (folders of them) times are judged.'));
		for (const kind of DIFF_KINDS)
			if ((model.diff[kind.key] || []).length) {
				const part = el('section');
				pane.append(part);
				showDiffKind(kind, part);
			}
	},
};
