// served.js: of a page that `jweave view --serve` brings: parts of the run as they are shown, each call of them, which a
// long run has too many of for a page. What is asked for is in cli/serve_answer.h, what comes in trace/view/view_index.h.
//
//     wantDetail(rows)           soon rows of the timeline are as fine as the screen
//     loadAround(row, from, to)  a row is, now
//     arrowsAround(from, to)     all arrows of a part of the time, where the page has every Kth
//
// A row's tracks are then those of the page with a part put in. All else looks at tracks alone.

/** What a row has beside what is in the page. @typedef {{from: number, to: number, least: number, width: number}} Detail */

const ROWS_AT_ONCE = 64, BEAT = 20000;
/** @type {WeakMap<Row, Track[]>} */
const tracksOfPage = new WeakMap();
/** @type {WeakMap<Row, Detail>} */
const details = new WeakMap();

function isServed() {
	return Boolean(model.about && model.about.served);
}

/** @param {string} what @returns {Promise<Cursor>} */
async function ask(what) {
	const answer = await fetch(what, { cache: 'no-store', credentials: 'omit' }).catch(() => {
		throw new Error('jweave view --serve is no longer there: start it again');
	});
	if (!answer.ok)
		throw new Error((await answer.text()).trim());
	return new Cursor(new Uint8Array(await answer.arrayBuffer()));
}

// ---- a part put in ----

/** The spans of PAGE outside of LOW to HIGH, those of PART inside. @param {Track} page @param {Track} part
 * @param {number} low @param {number} high @returns {Track} */
function putIn(page, part, low, high) {
	if (part.n) {
		low = Math.min(low, part.begin[0]);
		high = Math.max(high, part.end[part.n - 1]);
	}
	const before = after(page.begin, low - 0.5), next = after(page.end, high), n = before + part.n + page.n - next;
	/** @type {Track} */
	const t = { n, begin: new Float64Array(n), end: new Float64Array(n), what: new Uint32Array(n), flags: new Uint8Array(n),
		counts: new Uint32Array(page.counts.length || part.counts.length ? n : 0), cover: new Float64Array(n + 1), blocks: null };
	let at = 0;
	/** Spans FIRST to LAST - 1. @param {Track} source @param {number} first @param {number} last */
	const copy = (source, first, last) => {
		t.begin.set(source.begin.subarray(first, last), at);
		t.end.set(source.end.subarray(first, last), at);
		t.what.set(source.what.subarray(first, last), at);
		t.flags.set(source.flags.subarray(first, last), at);
		if (source.counts.length)
			t.counts.set(source.counts.subarray(first, last), at);
		for (let i = first, more = t.cover[at] - source.cover[first]; i < last; i++)
			t.cover[++at] = source.cover[i + 1] + more;
	};
	copy(page, 0, before);
	if (before) // a sum that goes across the edge is cut there
		t.end[before - 1] = Math.min(low, t.end[before - 1]);
	copy(part, 0, part.n);
	copy(page, next, page.n);
	if (before + part.n < n)
		t.begin[before + part.n] = Math.max(high, t.begin[before + part.n]);
	return t;
}

/** @param {Row[]} rows @param {number} from @param {number} to */
async function loadDetail(rows, from, to) {
	const index = /** @type {Index} */ (model.index);
	from = Math.max(0, Math.floor(from));
	to = Math.min(model.end, Math.ceil(to));
	for (let left = rows; left.length;) {
		const some = left.slice(0, ROWS_AT_ONCE), c = await ask(`tracks?rows=${some.map(row => row.place).join(',')}&from=${from}&to=${to}`);
		const least = c.next(), n = c.next();
		for (let i = 0; i < n; i++) {
			const row = index.rows[c.next()], tracks = Array.from({ length: c.next() }, () => readTrack(c));
			await loadRow(row);
			const page = tracksOfPage.get(row) || row.tracks || [];
			tracksOfPage.set(row, page);
			row.tracks = page.map((track, k) => tracks[k] ? putIn(track, tracks[k], from, to) : track);
			details.set(row, { from, to, least, width: to - from });
		}
		left = left.slice(Math.max(1, n));
	}
}

/** Is ROW as fine as it can be seen from FROM to TO? @param {Row} row @param {number} from @param {number} to */
function isFine(row, from, to) {
	const d = details.get(row), index = /** @type {Index} */ (model.index);
	if (!isServed() || !index.least || (to - from) / 4000 > index.least)
		return true;
	return d !== undefined && d.from <= Math.max(0, from) && d.to >= Math.min(model.end, to) && (d.least === 0 || d.width <= 6 * (to - from));
}

/** As the page has it again: what was put in takes room. @param {Row} row */
function forgetDetail(row) {
	const page = tracksOfPage.get(row);
	if (page)
		row.tracks = page;
	details.delete(row);
}

/** @param {Row} row @param {number} from @param {number} to */
async function loadAround(row, from, to) {
	await loadRow(row);
	if (!isFine(row, from, to))
		await loadDetail([row], from - (to - from) - 10000, to + (to - from) + 10000).catch(sayError);
}

/** What the page itself has is shown all the same. @param {Error} error */
function sayError(error) {
	timelineView.say(error.message);
}

/** ROW from BEGIN to END, each call of it if they are not too many. @param {Row} row @param {number} begin @param {number} end */
async function loadWhole(row, begin, end) {
	const index = /** @type {Index} */ (model.index);
	await loadRow(row);
	if (isServed() && index.least && index.rows.length <= 4 * ROWS_AT_ONCE)
		await loadDetail([row], begin, end);
}

let asking = false, wantedTimer = 0;

/** Asks for what ROWS lack from FROM to TO, one question at a time. @param {Row[]} rows @param {number} from @param {number} to */
function wantDetail(rows, from, to) {
	if (!isServed() || asking || rows.every(row => isFine(row, from, to)))
		return;
	clearTimeout(wantedTimer);
	wantedTimer = setTimeout(async () => {
		asking = true;
		try {
			await loadDetail(rows.filter(row => !isFine(row, from, to)), from - (to - from), to + (to - from));
		} catch (error) {
			timelineView.say(/** @type {Error} */ (error).message);
			await new Promise(resolve => setTimeout(resolve, 4000));
		}
		asking = false;
		changed('detail');
	}, 30);
}

// ---- arrows ----

/** @param {number} from @param {number} to */
async function arrowsAround(from, to) {
	const a = model.arrows;
	if (!isServed() || !a || a.all <= a.n)
		return;
	const answer = await ask(`arrows?from=${Math.max(0, Math.floor(from))}&to=${Math.ceil(Math.min(to, model.end))}`).catch(sayError);
	if (!answer)
		return;
	const part = arrowColumns(answer);
	const seen = new Set();
	/** @type {[number, number, number, number, number][]} */
	const list = [];
	for (const arrows of [part, a])
		for (let i = 0; i < arrows.n; i++) {
			const key = `${arrows.sent[i]} ${arrows.received[i]} ${arrows.from[i]} ${arrows.to[i]}`;
			if (arrows === part || !seen.has(key))
				list.push([arrows.sent[i], arrows.received[i], arrows.from[i], arrows.to[i], arrows.tag[i]]);
			seen.add(key);
		}
	list.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
	model.arrows = { all: a.all, n: list.length, sent: Float64Array.from(list, x => x[0]), received: Float64Array.from(list, x => x[1]),
		from: Uint32Array.from(list, x => x[2]), to: Uint32Array.from(list, x => x[3]), tag: Uint32Array.from(list, x => x[4]) };
	forgetArrowLists();
}

// ---- the server ----

/** It ends when no page is open any more. */
function startServed() {
	if (!isServed())
		return;
	const beat = () => void fetch('here', { cache: 'no-store', credentials: 'omit' }).catch(() => {});
	setInterval(beat, BEAT);
	document.addEventListener('visibilitychange', beat);
	window.addEventListener('pageshow', beat);
	window.addEventListener('pagehide', () => void fetch('gone', { cache: 'no-store', credentials: 'omit', keepalive: true }).catch(() => {}));
	on('detail', () => timelineView.live() && changed('selection'));
}
