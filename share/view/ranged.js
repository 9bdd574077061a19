// ranged.js: waits in a part of the time, as `jweave report --from --to` has them.
//
// Waits that events tell of are cut at the edges. What a call waited by itself is what is left of its waiting after those
// (trace/report/stalls.h); of a call that the range cuts it is worked out anew, from states, calls and waits inside of the range.

/** A wait, and how much of it is in the range. @typedef {{one: SingleWait, ns: number}} PartOfWait */

/** @type {{key: string, parts: Promise<PartOfWait[]>, list: PartOfWait[] | null} | null} */
let lastParts = null;

/** @param {number} from @param {number} to @returns {Promise<PartOfWait[]>} */
function partsOfWaits(from, to) {
	const key = `${from}-${to}`;
	if (lastParts && lastParts.key === key)
		return lastParts.parts;
	/** @type {{key: string, parts: Promise<PartOfWait[]>, list: PartOfWait[] | null}} */
	const now = { key, parts: findParts(from, to), list: null };
	lastParts = now;
	now.parts.then(list => {
		now.list = list;
	}).catch(() => { // a server that is gone may be there again
		if (lastParts === now)
			lastParts = null;
	});
	return now.parts;
}

/** Those of the range, if they are known already. @returns {PartOfWait[]} */
function partsKnown() {
	return shown.range && lastParts && lastParts.key === shown.range.join('-') ? lastParts.list || [] : [];
}

/** Is the part that calls waited by themselves about right only, where the range cuts them? */
function isNearAtEdges() {
	return !singles.complete || Boolean(model.index && (model.index.least || model.index.deeper));
}

/** @param {number} from @param {number} to */
async function findParts(from, to) {
	/** @type {PartOfWait[]} */
	const parts = [];
	/** @type {Set<SingleWait>} */
	const done = new Set();
	for (const row of model.index && singles.complete ? model.index.rows : []) {
		await loadWhole(row, from, to);
		for (const { level, i } of cutCalls(row, from, to)) {
			const one = waitOfCall(row, level, i), ns = one ? untold(row, level, i, from, to) : 0;
			if (!one)
				continue;
			done.add(one);
			if (ns)
				parts.push({ one, ns });
		}
		forgetDetail(row);
	}
	const lines = new Set(model.report.waits.map(waitKey)); // what a method waits by itself, at no call site, is none
	for (const one of singles.all) {
		const skipped = done.has(one) || (one.raw.wait === 'call' && !one.raw.callee && !lines.has(waitKey(one.raw)));
		const ns = skipped ? 0 : Math.min(to, one.end) - Math.max(from, one.begin);
		if (ns > 0)
			parts.push({ one, ns });
	}
	return parts;
}

/** The calls of ROW that are open at FROM or TO, and not only there. @param {Row} row @param {number} from @param {number} to */
function cutCalls(row, from, to) {
	/** @type {{level: number, i: number}[]} */
	const list = [];
	(row.tracks || []).forEach((track, level) => {
		for (const i of level ? new Set([from, to].map(at => spanAt(track, at))) : [])
			if (i >= 0 && !(track.flags[i] & IS_SUM) && track.begin[i] < to && track.end[i] > from && (track.begin[i] < from || track.end[i] > to))
				list.push({ level, i });
	});
	return list;
}

/** Where CALLER made a call from BEGIN to END of ROW, of SITES: where there is one alone, else where a wait inside of it was; no line if that tells of
 * none, or of several. @param {Row} row @param {number} begin @param {number} end @param {string} caller @param {any[]} sites */
function siteOf(row, begin, end, caller, sites) {
	const places = (/** @type {any[]} */ list) => [...new Map(list.map(s => [`${s.source}:${s.line}`, s])).values()]; // overloads have one each
	const inside = waitsIn(row.place, begin, end).filter(w => w.begin >= begin && w.raw.wait !== 'call' && w.raw.method === caller);
	const all = places(sites), some = all.filter(s => inside.some(w => w.raw.source === s.source && w.raw.line === s.line));
	return all.length === 1 ? all[0] : some.length === 1 ? some[0] : { source: '', line: 0 };
}

/** The class that all waits at SITE were about, as waitKey() has it without one; else that of all in CALLEE; '': several. @param {string} site @param {string} callee */
function classAt(site, callee) {
	const waits = model.report.waits.filter((/** @type {any} */ w) => w.callee === callee), here = waits.filter((/** @type {any} */ w) => waitKey({ ...w, class: '' }) === site);
	const classes = new Set((here.length ? here : waits).map((/** @type {any} */ w) => w.class));
	return classes.size === 1 ? [...classes][0] : '';
}

/** Is there a wait of a call that the range cuts, of which it is not known where it was made? */
function lacksSites() {
	return partsKnown().some(({ one, ns }) => ns && one.raw.wait === 'call' && one.raw.callee && !one.raw.line);
}

/** What the call I of LEVEL waited by itself, as the page has it of the whole run; else such a wait of its call site, as none of the whole
 * run is long enough to be told; null: it is not made at a call site. @param {Row} row @param {number} level @param {number} i @returns {SingleWait | null} */
function waitOfCall(row, level, i) {
	const tracks = row.tracks || [], track = tracks[level], above = level > 1 ? spanAt(tracks[level - 1], track.begin[i]) : -1;
	const callee = methodName(track.what[i]), caller = above < 0 ? '' : methodName(tracks[level - 1].what[above]);
	const own = (singles.byRow.get(row.place) || []).find(w => w.raw.wait === 'call' && w.end === track.end[i] && w.raw.callee === callee && w.raw.method === caller);
	const sites = (model.report.sites || []).filter((/** @type {any} */ s) => s.callee === callee && s.caller === caller);
	if (own || !sites.length)
		return own || null;
	const { source, line } = siteOf(row, track.begin[i], track.end[i], caller, sites);
	const site = waitKey({ wait: 'call', callee, method: caller, source, line, class: '' });
	return { row: row.place, begin: track.begin[i], end: track.end[i], ender: -1, method: '', received: 0,
		raw: { wait: 'call', callee, method: caller, source, line, class: classAt(site, callee), object: '', channel: '', ns: track.end[i] - track.begin[i] } };
}

const KIND_BLOCKED = placeOfKind('blocked'), KIND_WAITING = placeOfKind('waiting');

/** How long ROW was blocked, or waited, by its states. @param {Row} row @param {number} begin @param {number} end */
function stalledIn(row, begin, end) {
	const t = /** @type {Track[]} */ (row.tracks)[0];
	let ns = 0;
	for (let i = after(t.end, begin); i < t.n && t.begin[i] < end; i++)
		if (kindOf(t.what[i]) === KIND_BLOCKED || kindOf(t.what[i]) === KIND_WAITING)
			ns += (t.cover[i + 1] - t.cover[i]) * (Math.min(end, t.end[i]) - Math.max(begin, t.begin[i])) / Math.max(1, t.end[i] - t.begin[i]);
	return ns;
}

/** What the call I of LEVEL waited by itself from FROM to TO. @param {Row} row @param {number} level @param {number} i @param {number} from
 * @param {number} to */
function untold(row, level, i, from, to) {
	const tracks = /** @type {Track[]} */ (row.tracks), track = tracks[level], below = tracks[level + 1], a = Math.max(from, track.begin[i]), b = Math.min(to, track.end[i]);
	let stalled = stalledIn(row, a, b), told = 0, slept = false;
	for (let k = below ? after(below.end, a) : 0; below && k < below.n && below.begin[k] < b; k++)
		stalled -= stalledIn(row, Math.max(a, below.begin[k]), Math.min(b, below.end[k]));
	for (const w of waitsIn(row.place, a, b)) {
		const begin = Math.max(a, w.begin), inner = below ? spanAt(below, begin) : -1;
		if (inner >= 0 || w.raw.wait === 'call' || !isStall(w.raw) || w.begin < track.begin[i])
			continue;
		told += Math.min(b, w.end) - begin;
		slept ||= w.raw.wait === 'sleep'; // a call of what sleeps: all else of it is the way into that, and back
	}
	const ns = Math.round(stalled - told);
	return ns > 0 && ns >= Math.floor(told / 20) && !slept ? ns : 0;
}

/** Is a thread in a state of waiting in such a wait? @param {any} w of the report */
function isStall(w) {
	return !['forWork', 'io'].includes(kindOfWait(w));
}

/** Sums of waits in a range, by lines of the report. @param {number} from @param {number} to */
async function waitsOfRange(from, to) {
	/** @type {Map<string, any>} */
	const sums = new Map();
	for (const { one, ns } of await partsOfWaits(from, to)) {
		const key = waitKey(one.raw), sum = sums.get(key);
		if (sum) {
			sum.count++;
			sum.ns += ns;
			sum.longestNs = Math.max(sum.longestNs, ns);
			if (sum.object !== one.raw.object)
				sum.object = waitClass(one.raw);
		} else {
			sums.set(key, { ...one.raw, count: 1, ns, longestNs: ns });
		}
	}
	return [...sums.values()];
}
