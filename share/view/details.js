// details.js: the thing selected, the method chosen; and the ways from one call to others.

/** The selection as a span; null: nothing, or a thread alone. */
function selected() {
	const s = shown.selection, row = s && model.index ? model.index.rows[s.row] : null;
	if (!s || !row || !row.tracks || s.track < 0 || s.track >= row.tracks.length)
		return null;
	const track = row.tracks[s.track], i = spanAt(track, s.begin);
	return i < 0 ? null : { row, track, level: s.track, i, begin: track.begin[i], end: track.end[i], what: track.what[i],
		isSum: (track.flags[i] & IS_SUM) !== 0, failed: (track.flags[i] & FAILED) !== 0, calls: track.counts[i] || 1 };
}

/** @param {number} row @param {number} track @param {number} begin @param {number} [at] an arrow leaves, or comes, then */
function select(row, track, begin, at) {
	shown.selection = { row, track, begin, at: at ?? begin, exact: at !== undefined };
	changed('selection');
}

/** Selects a call and brings it into view. @param {number} place @param {number} track @param {number} begin
 * @param {number} end @param {number} [at] */
async function goTo(place, track, begin, end, at) {
	if (!model.index)
		return;
	await loadAround(model.index.rows[place], begin, end);
	const tracks = model.index.rows[place].tracks || [], tooDeep = track >= tracks.length;
	if (tooDeep) {
		const around = innermost(model.index.rows[place], begin);
		track = around.level;
		begin = around.begin;
		end = around.end;
	}
	const width = shown.to - shown.from, ns = end - begin;
	if (begin < shown.from || end > shown.to || ns > width || ns < width / 2000) {
		const wide = Math.max(ns * 3, at === undefined ? 200 : Math.min(width, Math.max(ns * 3, width / 8)));
		timelineView.setView((begin + end) / 2 - wide / 2, (begin + end) / 2 + wide / 2);
	}
	const other = shown.tab !== 'timeline';
	shown.tab = 'timeline';
	select(place, track, begin, at);
	if (other)
		changed('tab');
	timelineView.reveal();
	if (tooDeep)
		timelineView.say(`The call is nested deeper than ${tracks.length - 1} levels, and not in the timeline: this is the innermost call around it that is.`);
}

/** The innermost call, else the state, of ROW at TIME. @param {Row} row @param {number} at */
function innermost(row, at) {
	const tracks = row.tracks || [];
	for (let level = tracks.length - 1; level >= 0; level--) {
		const t = tracks[level], i = spanAt(t, at), over = level === 0 && i > 0 && t.begin[i] === at && NOT_ALIVE.includes(t.what[i]); // who ends then still is
		const last = over ? i - 1 : i < 0 ? after(t.begin, at) - 1 : i;
		if (last >= 0 && tracks[level].end[last] >= at)
			return { level, begin: tracks[level].begin[last], end: tracks[level].end[last] };
	}
	return { level: -1, begin: at, end: at };
}

/** @param {boolean} onward to whom this let go on; else back to who let this go on */
async function followArrow(onward) {
	const s = shown.selection;
	if (!s || !model.index)
		return;
	const span = selected();
	const about = s.track < 0 ? (shown.from + shown.to) / 2 : s.at, width = shown.to - shown.from;
	await arrowsAround(about - width, about + width);
	const a = model.arrows, lists = arrowsByRow();
	if (!a)
		return;
	const list = (onward ? lists.from : lists.to).get(s.row) || [];
	const times = onward ? a.sent : a.received;
	const at = s.track < 0 ? onward ? shown.from : shown.to : s.exact || !span ? s.at : onward ? span.begin : span.end; // of a thread those in view
	let arrow;
	if (onward)
		arrow = list.find(i => times[i] >= at);
	else
		for (let k = list.length - 1; k >= 0 && arrow === undefined; k--)
			if (times[list[k]] <= at)
				arrow = list[k];
	if (arrow === undefined) {
		timelineView.say(onward ? 'No arrow leaves this thread later.' : 'No arrow comes to this thread before.');
		return;
	}
	const place = onward ? a.to[arrow] : a.from[arrow], when = onward ? a.received[arrow] : a.sent[arrow];
	await loadAround(model.index.rows[place], when, when);
	const call = innermost(model.index.rows[place], when);
	await goTo(place, call.level, call.begin, call.end, when);
}

/** @param {number} step */
function stepBeside(step) {
	const s = selected();
	if (!s)
		timelineView.say('A thread is selected: ↓ leads to what it did.');
	else if (s.i + step < 0 || s.i + step >= s.track.n)
		timelineView.say(`There is nothing ${step > 0 ? 'after' : 'before'} it on its line.`);
	else
		goTo(s.row.place, s.level, s.track.begin[s.i + step], s.track.end[s.i + step]);
}

/** The next or previous call of the same method in the same thread. @param {number} step */
function stepSame(step) {
	const s = selected();
	if (!s || !s.row.tracks) {
		timelineView.say('A thread is selected: ↓ leads to what it did.');
		return;
	}
	/** @type {{level: number, i: number} | null} */
	let best = null;
	for (let level = s.level ? 1 : 0; level < (s.level ? s.row.tracks.length : 1); level++) {
		const t = s.row.tracks[level];
		let i = level === s.level ? s.i + step : step > 0 ? after(t.begin, s.begin) : after(t.begin, s.begin - 1) - 1;
		while (i >= 0 && i < t.n && t.what[i] !== s.what)
			i += step;
		if (i >= 0 && i < t.n && (!best || (t.begin[i] - s.row.tracks[best.level].begin[best.i]) * step < 0))
			best = { level, i };
	}
	if (best)
		goTo(s.row.place, best.level, s.row.tracks[best.level].begin[best.i], s.row.tracks[best.level].end[best.i]);
	else
		timelineView.say(`There is no ${step > 0 ? 'later' : 'earlier'} ${s.level ? 'call of it' : 'state like it'} in this thread.`);
}

/** @param {NonNullable<ReturnType<typeof selected>>} s */
function parentOf(s) {
	const above = s.level > 1 && s.row.tracks ? s.row.tracks[s.level - 1] : null;
	const i = above ? spanAt(above, s.begin) : -1;
	return above && i >= 0 ? { track: above, i } : null;
}

/** The spans inside of S, one level down. @param {NonNullable<ReturnType<typeof selected>>} s */
function childrenOf(s) {
	const below = s.level > 0 && s.row.tracks ? s.row.tracks[s.level + 1] : undefined;
	if (!below)
		return null;
	const first = from(below.begin, s.begin, 0), last = from(below.begin, s.end, first);
	return last > first ? { track: below, first, last } : null;
}

/** The call of ROW that begins first from BEGIN to END, the outermost of those; null: none does. @param {Row} row @param {number} begin
 * @param {number} end */
function firstCall(row, begin, end) {
	/** @type {{level: number, begin: number, end: number} | null} */
	let best = null;
	(row.tracks || []).forEach((track, level) => {
		const i = level ? after(track.begin, begin - 1) : track.n;
		if (i < track.n && track.begin[i] < (best ? best.begin : end))
			best = { level, begin: track.begin[i], end: track.end[i] };
	});
	return /** @type {{level: number, begin: number, end: number} | null} */ (best);
}

/** The first of STATES that begins in view, else the one around; -1: none. @param {Track} states */
function firstState(states) {
	let i = after(states.begin, shown.from - 1);
	while (i < states.n && NOT_ALIVE.includes(states.what[i]))
		i++;
	return i < states.n && states.begin[i] < shown.to ? i : Math.min(after(states.end, shown.from), states.n - 1);
}

/** From a call to its caller, from the outermost one to the thread's state then, from a state to the thread. */
function stepUp() {
	const s = selected(), parent = s && parentOf(s), states = s && s.level ? s.row.tracks?.[0] : null, state = s && states ? spanAt(states, s.begin) : -1;
	if (s && parent)
		goTo(s.row.place, s.level - 1, parent.track.begin[parent.i], parent.track.end[parent.i]);
	else if (s && states && state >= 0)
		goTo(s.row.place, 0, states.begin[state], states.end[state]);
	else if (s)
		select(s.row.place, -1, 0);
	else
		timelineView.say('Shift with ↑ and ↓ leads to other threads.');
}

/** The other way: from a thread to its first state in view, from a state to the outermost call then, or the nearest one. */
async function stepDown() {
	const s = selected(), children = s && childrenOf(s), sel = shown.selection;
	if (s && children) {
		goTo(s.row.place, s.level + 1, children.track.begin[children.first], children.track.end[children.first]);
		return;
	}
	if (s && s.level) {
		timelineView.say('It called nothing that was recorded.');
		return;
	}
	const row = sel && model.index ? model.index.rows[sel.row] : null, line = s ? 1 : 0;
	if (!row)
		return;
	await loadAround(row, s ? s.begin : shown.from, s ? s.end : shown.to);
	const track = row.tracks && row.tracks[line], i = !track ? -1 : s ? Math.min(after(track.end, s.begin), track.n - 1) : firstState(track);
	if (track && i >= 0)
		goTo(row.place, line, track.begin[i], track.end[i]);
	else
		timelineView.say(s ? 'No call of this thread was recorded.' : 'Nothing of this thread was recorded.');
}

/** The first call of the thread PLACE in view; of all threads that of the first that has one. @param {number | null} place */
async function goToFirst(place) {
	const rows = (timelineView.live()?.lines || []).flatMap(line => line.row && (place === null || line.row.place === place) ? [line.row] : []), { from: begin, to } = shown;
	for (const row of rows) {
		await loadAround(row, begin, to);
		const call = firstCall(row, begin, to) || innermost(row, begin);
		if (call.level > 0) {
			await goTo(row.place, call.level, call.begin, call.end);
			return;
		}
	}
	timelineView.say(place === null ? 'No call is in view: the first thread is selected.' : 'No call of this thread is in view.');
	if (place === null && rows.length)
		select(rows[0].place, -1, 0);
}

/** @param {number} step to another thread, in the order in which they are shown */
function stepThread(step) {
	const rows = (timelineView.live()?.lines || []).flatMap(line => line.row ? [line.row] : []), s = shown.selection;
	const next = rows[s ? rows.findIndex(row => row.place === s.row) + step : 0];
	if (!next) {
		timelineView.say(`There is no thread ${step > 0 ? 'below' : 'above'} it.`);
		return;
	}
	select(next.place, -1, 0);
	timelineView.reveal();
}

// ---- what is said of it ----

/** @param {[string, Node | string | null | undefined | false][]} facts */
function factList(facts) {
	return el('dl', { class: 'facts' }, ...facts.filter(([, value]) => value).flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, /** @type {any} */ (value))]));
}

/** @param {Row} row @param {HTMLElement} into */
function showThread(row, into) {
	const t = model.report.threads[row.place], split = threadSplit(t);
	into.append(el('h2', {}, t.name || '(no name)'), el('p', { class: 'sub' }, row.isVm ? 'the virtual machine' : row.isVirtual ? 'a row that virtual threads share' : 'thread'),
		splitBar(split, Math.max(1, t.lifeNs)), factList([
			['Life', time(t.lifeNs)], ...KINDS.filter(kind => split[kind.key]).map(kind => /** @type {[string, string]} */ ([kind.name, `${time(split[kind.key])} · ${percent(split[kind.key], t.lifeNs)}`])),
			['Process', severalProcesses() && model.processes[row.process].label], ['CPU time', t.cpuNs ? time(t.cpuNs) : ''], ['In methods', time(t.insideNs)], ['Calls', count(t.calls)]]),
		el('div', { class: 'actions' },
			row.trackCount > 1 ? button('First call in view', () => goToFirst(row.place)) : null,
			button(pinned.has(row.place) ? 'Unpin' : 'Pin to the top', () => timelineView.pin(row.place)),
			button('Its flame graph', () => {
				shown.thread = row.place;
				openTab('flame');
			})));
}

/** States inside of a call, as parts. @param {NonNullable<ReturnType<typeof selected>>} s @returns {Record<string, number>} */
function insideSplit(s) {
	const ns = kindsOf(s.row, s.begin, s.end);
	return Object.fromEntries(KINDS.map((kind, i) => [kind.key, ns[i]]));
}

/** Arrows that come while S lasts, or leave it. @param {NonNullable<ReturnType<typeof selected>>} s */
function arrowsAt(s) {
	const a = model.arrows, lists = arrowsByRow();
	if (!a)
		return { come: [], go: [] };
	return { come: (lists.to.get(s.row.place) || []).filter(i => a.received[i] > s.begin && a.received[i] <= s.end),
		go: (lists.from.get(s.row.place) || []).filter(i => a.sent[i] >= s.begin && a.sent[i] < s.end) };
}

/** What a call has captured, by its labels. @param {NonNullable<ReturnType<typeof selected>>} s @returns {[string, string][]} */
function capturedBy(s) {
	const values = s.level && !s.isSum && model.said ? model.said.values.get(`${s.row.place} ${s.level} ${s.begin}`) || [] : [];
	return values.map(v => [v.label, v.text]);
}

/** The trace that was current where a call began. @param {NonNullable<ReturnType<typeof selected>>} s @returns {[string, any][]} */
function contextOf(s) {
	const c = s.level && !s.isSum ? contextAt(s.row.place, s.begin) : null;
	return c ? [['Trace', c.trace], ['Span', c.span]] : [];
}

/** The row of the selection, where the filter hides it; else nothing. */
function hiddenRow() {
	const live = timelineView.live(), sel = shown.selection, row = live && sel && model.index ? model.index.rows[sel.row] : null;
	if (!live || !row || live.passes(row))
		return '';
	return el('p', { class: 'hint' }, `Among threads that have “${shown.rows}” in their names this one would not be shown. `, link('Show all threads', () => {
		shown.rows = '';
		changed('rows');
		timelineView.reveal();
		byId('details').querySelector('button')?.focus();
	}));
}

/** @param {HTMLElement} into */
function showSelection(into) {
	fillAgain(into, timelineView.live()?.stage || into, () => fillSelection(into));
}

/** @param {HTMLElement} into */
function fillSelection(into) {
	into.append(hiddenRow());
	const s = selected(), sel = shown.selection;
	if (!s) {
		if (sel && model.index && model.index.rows[sel.row]) {
			showThread(model.index.rows[sel.row], into);
			if (sel.track >= 0 && !model.index.rows[sel.row].tracks)
				into.append(el('p', { class: 'loading' }, 'Reading the thread …'));
			return;
		}
		into.append(el('p', { class: 'hint' }, 'Click a call, a state or a thread; ', el('kbd', {}, '↓'), ' selects the first call in view. ', el('kbd', {}, '?'), ' lists the keys.'),
			model.index && model.index.least ? el('p', { class: 'hint' }, `Calls of ${time(model.index.least)} or longer are drawn one by one. Shorter ones are summed up, and hatched${isServed() ? ': zoom in to see each' : ''}.`) : '',
			closedText() ? el('p', { class: 'hint' }, `▾ ${closedText()}`) : '', legend());
		return;
	}
	const ns = s.end - s.begin, isCall = s.level > 0, m = isCall && s.what ? model.methods[s.what - 1] : null;
	const children = isCall ? childrenOf(s) : null, parent = isCall ? parentOf(s) : null;
	const inner = children ? children.track.cover[children.last] - children.track.cover[children.first] : 0;
	const busy = s.track.cover[s.i + 1] - s.track.cover[s.i];
	const kind = isCall ? -1 : kindOf(s.what);
	into.append(el('h2', {}, isCall ? methodName(s.what) : el('span', {}, kind >= 0 ? el('i', { class: `swatch kind-${KINDS[kind].key}` }) : '', stateAt(s.track, s.i))));
	if (m)
		into.append(el('p', { class: 'sub' }, m.full));
	const { come, go } = arrowsAt(s), a = model.arrows;
	const split = insideSplit(s), place = m ? placeOf(m, ns) : '';
	into.append(factList([
		['Thread', link(threadLabel(s.row.place), () => select(s.row.place, -1, 0))],
		['Begins', moment(s.begin, Math.max(1, Math.min(1000, 10 ** Math.floor(Math.log10(Math.max(1, ns / 10))))))],
		[s.isSum ? 'Spans' : 'Duration', time(ns)],
		['Summed up', s.isSum && `${plural(s.calls, isCall ? 'call' : 'state')} that took ${time(busy)}, most of it this one`],
		['Self', isCall && !s.isSum && `${time(Math.max(0, ns - inner))} · ${percent(ns - inner, ns)}`],
		['Depth', isCall && String(s.level)],
		['Ended by', s.failed && 'an exception'],
		['Rank', !s.isSum && place],
		...capturedBy(s),
		...contextOf(s),
		['Called by', parent && link(methodName(parent.track.what[parent.i]), stepUp)],
	]));
	if (isCall)
		into.append(splitBar(split, Math.max(1, ns)), factList(KINDS.filter(k => split[k.key]).map(k => [k.name, `${time(split[k.key])} · ${percent(split[k.key], ns)}`])));
	into.append(el('div', { class: 'actions' }, button('Previous', () => stepSame(-1), { title: 'The previous of the same in this thread (P)' }), button('Next', () => stepSame(1), { title: 'The next of the same in this thread (N)' }),
		button('Zoom to it', () => timelineView.fit(), { title: 'F' }), button('As range', () => timelineView.rangeOfSelection(), { title: 'R' }), m ? button('The method', () => openMethod(m.number)) : null));
	const waits = s.isSum ? null : waitList(s.row.place, s.begin, s.end);
	if (waits)
		into.append(waits);
	if (children)
		into.append(el('h3', {}, 'It called'), childList(s, children));
	if (a && come.length)
		into.append(el('h3', {}, 'Let go on by'), arrowList(come, a, false));
	if (a && go.length)
		into.append(el('h3', {}, 'Lets go on'), arrowList(go, a, true));
}

/** Where a call of M of NS is among all of them. @param {Method} m @param {number} ns */
function placeOf(m, ns) {
	const list = model.longest[m.number] || [], at = list.filter(call => call.ns > ns).length;
	if (m.calls === 1)
		return 'the only call of it';
	if (at < list.length || list.length === m.calls)
		return at === 0 ? `the longest of ${count(m.calls)}` : `${at + 1} of ${count(m.calls)} by length`;
	return `not among the ${list.length} longest of ${count(m.calls)}; the mean is ${time(m.mean)}`;
}

/** @param {NonNullable<ReturnType<typeof selected>>} s @param {{track: Track, first: number, last: number}} c */
function childList(s, c) {
	/** @type {Map<number, {ns: number, calls: number, longest: number}>} */
	const sums = new Map();
	for (let i = c.first; i < c.last; i++) {
		const sum = sums.get(c.track.what[i]) || { ns: 0, calls: 0, longest: i };
		sum.ns += c.track.cover[i + 1] - c.track.cover[i];
		sum.calls += c.track.counts[i] || 1;
		if (c.track.end[i] - c.track.begin[i] > c.track.end[sum.longest] - c.track.begin[sum.longest])
			sum.longest = i;
		sums.set(c.track.what[i], sum);
	}
	const sorted = [...sums].sort((x, y) => y[1].ns - x[1].ns).slice(0, 8);
	return el('table', { class: 'list' }, el('tbody', {}, ...sorted.map(([what, sum]) => el('tr', {},
		el('td', { class: 'text' }, link(methodName(what), () => goTo(s.row.place, s.level + 1, c.track.begin[sum.longest], c.track.end[sum.longest]), { title: 'The longest of them' })),
		el('td', {}, time(sum.ns)), el('td', {}, count(sum.calls))))));
}

/** @param {number[]} list @param {Arrows} a @param {boolean} onward */
function arrowList(list, a, onward) {
	return el('table', { class: 'list' }, el('tbody', {}, ...list.slice(0, 8).map(i => {
		const place = onward ? a.to[i] : a.from[i], when = onward ? a.received[i] : a.sent[i];
		return el('tr', {}, el('td', { class: 'text' }, link(threadLabel(place), async () => {
			if (!model.index)
				return;
			await loadAround(model.index.rows[place], when, when);
			const call = innermost(model.index.rows[place], when);
			goTo(place, call.level, call.begin, call.end, when);
		})), el('td', {}, model.said ? model.said.arrows.get(a.tag[i]) || '' : ''), el('td', {}, moment(when, 1000)));
	}), list.length > 8 ? el('tr', {}, el('td', { class: 'text', colspan: 3 }, `and ${count(list.length - 8)} more`)) : null));
}

// ---- a method ----

/** @param {HTMLElement} into */
function showMethod(into) {
	fillAgain(into, into, () => fillMethod(into));
}

/** @param {HTMLElement} into */
function fillMethod(into) {
	const m = shown.method === null ? null : model.methods[shown.method];
	if (!m) {
		into.append(el('p', { class: 'hint' }, 'Choose a method to see how long its calls take, which were the longest, and in which threads it ran.'));
		return;
	}
	const kinds = ownParts(m);
	const inRange = el('div');
	into.append(el('h2', {}, m.name), el('p', { class: 'sub' }, m.full), inRange, shown.range ? el('h3', {}, 'In the whole run') : '', factList([
		['Calls', (m.closed ? '≥ ' : '') + count(m.calls) + (m.every > 1 ? ` (1 of ${m.every} was recorded)` : '')], ['Exceptions', m.exceptional ? count(m.exceptional) : ''], ['Total', `${time(m.total)} · ${shareOfRun(m.total, model.end - model.begin)}`],
		['Self', time(m.self)], ['Likely', likelyKnown() && time(m.likely)], ['Mean', time(m.mean)], ['Longest', time(m.longest)], ['Recorded', m.closed > 0 && `in part: until ${moment(m.closed, (model.end - model.begin) / 1000)}, when it was closed to keep recording cheap`]]),
	...kinds.unknown === undefined ? [el('h3', {}, 'Self, by state'), splitBar(kinds, Math.max(1, m.self))] : [],
	factList(KINDS.filter(kind => kinds[kind.key]).map(kind => [kind.name, `${time(kinds[kind.key])} · ${percent(kinds[kind.key], m.self)}`])));
	const durations = model.durations[m.number];
	if (durations && durations.n > 1)
		into.append(el('h3', {}, 'How long its calls take'), histogram(durations), factList(PERCENTILES.map((label, i) => [label, time(durations.percentiles[i])])));
	const longest = model.longest[m.number] || [];
	if (longest.length)
		into.append(el('h3', {}, longest.length === 1 ? 'Its call' : `The ${longest.length} longest calls`), el('table', { class: 'list', id: 'longest' }, el('thead', {}, el('tr', {}, el('th', { class: 'text', scope: 'col' }, 'Took'), el('th', { class: 'text', scope: 'col' }, 'Began at'), el('th', { class: 'text', scope: 'col' }, 'Thread'))),
			el('tbody', {}, ...longest.map(call => el('tr', {}, el('td', { class: 'text' }, link(time(call.ns), () => goTo(call.row, call.level + 1, call.begin, call.begin + call.ns), { title: 'Show in the timeline' })),
				el('td', { class: 'text' }, moment(call.begin, 1000)), el('td', { class: 'text' }, threadLabel(call.row)))))));
	const near = el('div');
	into.append(near);
	showNeighbours(m, near, inRange);
	const threads = [...(m.raw.threads || [])].sort((x, y) => y.exclusiveNs - x.exclusiveNs).slice(0, 8);
	if (threads.length > 1)
		into.append(el('h3', {}, `Threads${shown.range ? ', of the whole run' : ''}`), el('table', { class: 'list' }, el('tbody', {}, ...threads.map(s => el('tr', {}, el('td', { class: 'text' }, someThreads([s])), el('td', {}, time(s.exclusiveNs)), el('td', {}, count(s.calls)))))));
	into.append(el('div', { class: 'actions' }, button('Light it up', () => {
		shown.query = m.full || m.name;
		changed('query');
	}, { title: 'Search for it everywhere' })));
}

/** Who called M, and whom it called, in all ways in which it was reached; of a range also its sums. @param {Method} m @param {HTMLElement} into
 * @param {HTMLElement} inRange */
async function showNeighbours(m, into, inRange) {
	if (!model.index)
		return;
	const [a, b] = shown.range || [model.begin, model.end], tree = await treeOf(a, b, null).catch(() => null), number = m.number + 1;
	if (!tree) // beside it, the table says why
		return;
	/** @type {Map<number, {ns: number, calls: number}>} */
	const callers = new Map(), callees = new Map();
	/** @param {Map<number, {ns: number, calls: number}>} to @param {number} method @param {TreeNode} node @param {boolean} outermost */
	const add = (to, method, node, outermost) => {
		const sum = to.get(method) || { ns: 0, calls: 0 };
		sum.ns += outermost ? node.total : 0;
		sum.calls += node.calls;
		to.set(method, sum);
	};
	if (shown.range) {
		const sum = tree.methods[number];
		inRange.append(el('h3', {}, `In the range${tree.exact ? '' : ', about'}`), factList([['Calls', count(sum.calls)], ['Total', time(sum.total)], ['Self', time(sum.self)]]));
	}
	const { nodes } = tree, within = new Uint8Array(nodes.length); // of a recursion: the time of its outermost call has that of the others
	nodes.forEach((node, at) => {
		if (!at)
			return;
		within[at] = within[node.parent] || Number(nodes[node.parent].method === number);
		if (node.method === number)
			add(callers, node.parent ? nodes[node.parent].method : -1, node, !within[at]);
		if (node.parent && nodes[node.parent].method === number) {
			let up = node.parent;
			while (nodes[up].parent && !(nodes[up].method === node.method && nodes[nodes[up].parent].method === number))
				up = nodes[up].parent;
			add(callees, node.method, node, !nodes[up].parent);
		}
	});
	for (const [title, sums] of /** @type {[string, Map<number, {ns: number, calls: number}>][]} */ ([['Called by', callers], ['It calls', callees]]))
		if (sums.size)
			into.append(el('h3', {}, title + (shown.range ? ', in the range' : '') + (tree.exact ? '' : ', about')), el('table', { class: 'list' }, el('tbody', {}, ...[...sums].sort((x, y) => y[1].ns - x[1].ns).slice(0, 10).map(([method, sum]) => el('tr', {},
				el('td', { class: 'text' }, method > 0 ? link(methodName(method), () => openMethod(method - 1)) : method ? 'the thread itself' : '(unknown)'), el('td', {}, time(sum.ns)), el('td', {}, count(sum.calls)))))));
}

/** Calls by how long they took; each bar is half an octave wide. @param {Durations} d */
function histogram(d) {
	const most = Math.max(...d.bars);
	return el('div', { class: 'histogram', role: 'img', 'aria-label': `Calls by duration, from ${time(d.least)}; half take ${time(d.percentiles[0])} at most` },
		el('div', { class: 'bars' }, ...d.bars.map((n, i) => el('i', { title: `${plural(n, 'call')} from ${time(edgeOf(d.first + i))} to ${time(edgeOf(d.first + i + 1))}`, style: { height: `${n ? Math.max(4, 100 * n / most) : 0}%` } }))),
		el('div', { class: 'ends' }, el('span', {}, time(edgeOf(d.first))), el('span', {}, time(edgeOf(d.first + d.bars.length)))));
}
