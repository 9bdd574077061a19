// data.js: the sections of the page as columns of numbers. Their format is in trace/view/view.h.
//
//     section(name)      bytes of a section, unpacked the first time that they are asked for
//     readIndex()        what rows there are; readArrows(), readLongest()
//     loadRow(row)       the tracks of a row

/**
 * A line of a timeline: spans, by time. `cover[i]` is how long the spans before I were busy, `counts[i]` how many
 * a sum has (of others 0; empty where there are no sums).
 * @typedef {{n: number, begin: Float64Array, end: Float64Array, what: Uint32Array, flags: Uint8Array,
 *     counts: Uint32Array, cover: Float64Array, blocks: Uint32Array | null}} Track
 * @typedef {{place: number, process: number, isVm: boolean, isVirtual: boolean, section: string,
 *     at: number, trackCount: number, spans: number, tracks: Track[] | null,
 *     loading: Promise<void> | null}} Row
 * @typedef {{pid: number, rank: number, role: string, host: string, job: string, begin: number, end: number, cpu: number,
 *     pauses: Track}} ProcessFacts
 * @typedef {{end: number, least: number, levels: number, deeper: number, rows: Row[],
 *     processes: ProcessFacts[], nested: number}} Index
 * @typedef {{all: number, n: number, sent: Float64Array, received: Float64Array, from: Uint32Array,
 *     to: Uint32Array, tag: Uint32Array}} Arrows
 * @typedef {{row: number, level: number, begin: number, ns: number}} LongCall
 */

const VIEW_VERSION = 2;
const IS_SUM = 1, FAILED = 2;

// ---- bytes ----

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function fromBase64(text) {
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

/** @param {string} text */
async function unpack(text) {
	const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @type {Map<string, Promise<Uint8Array>>} */
const sections = new Map();

/** The bytes of section NAME; empty: there is none. @param {string} name @returns {Promise<Uint8Array>} */
function section(name) {
	let bytes = sections.get(name);
	if (!bytes) {
		const parts = [...document.querySelectorAll('script[data-section]')]
			.filter(script => script.getAttribute('data-section') === name);
		bytes = Promise.all(parts.map(part => unpack(part.textContent || ''))).then(pieces => {
			for (const part of parts)
				part.remove(); // the page's text is no longer needed
			const all = new Uint8Array(pieces.reduce((n, piece) => n + piece.length, 0));
			let at = 0;
			for (const piece of pieces) {
				all.set(piece, at);
				at += piece.length;
			}
			return all;
		});
		sections.set(name, bytes);
	}
	return bytes;
}

/** What controls the direction of text turns over all that follows: its bytes are shown, as in the report. @param {string} text */
function withoutTurns(text) {
	return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, c => [...new TextEncoder().encode(c)].map(byte => `\\x${byte.toString(16)}`).join(''));
}

/** @param {string} name */
async function jsonSection(name) {
	const bytes = await section(name);
	sections.delete(name);
	const text = new TextDecoder().decode(bytes), turns = /\\u20(?:2[a-e]|6[6-9])/i.test(text); // whoever wrote it has escaped them
	return text ? JSON.parse(text, turns ? (_, value) => typeof value === 'string' ? withoutTurns(value) : value : undefined) : null;
}

// ---- numbers ----

class Cursor {
	/** @param {Uint8Array} bytes @param {number} at */
	constructor(bytes, at = 0) {
		this.bytes = bytes;
		this.at = at;
	}

	next() {
		const bytes = this.bytes;
		let at = this.at, byte = bytes[at++], value = byte & 127;
		for (let scale = 128; byte > 127; scale *= 128) {
			byte = bytes[at++];
			value += (byte & 127) * scale;
		}
		if (at > bytes.length)
			throw new Error('the data of this page are cut short');
		this.at = at;
		return value;
	}

	text() {
		const n = this.next();
		this.at += n;
		return withoutTurns(new TextDecoder().decode(this.bytes.subarray(this.at - n, this.at)));
	}

	/** @template {Float64Array | Uint32Array} T @param {T} into @returns {T} */
	column(into) {
		for (let i = 0; i < into.length; i++)
			into[i] = this.next();
		return into;
	}
}

/** @param {Cursor} c @returns {Track} */
function readTrack(c) {
	const n = c.next();
	const begin = c.column(new Float64Array(n)), end = c.column(new Float64Array(n));
	const what = new Uint32Array(n), flags = new Uint8Array(n), cover = new Float64Array(n + 1);
	/** @type {number[]} */
	const sums = [];
	for (let i = 0, before = 0; i < n; i++) {
		begin[i] += before;
		before = end[i] += begin[i];
	}
	for (let i = 0; i < n; i++) {
		const both = c.next();
		what[i] = Math.floor(both / 4);
		flags[i] = both & 3;
		if (both & IS_SUM)
			sums.push(i);
	}
	const counts = new Uint32Array(sums.length ? n : 0);
	for (const i of sums)
		counts[i] = c.next();
	for (let i = 0, k = 0; i < n; i++)
		cover[i + 1] = cover[i] + (k < sums.length && sums[k] === i ? (k++, c.next()) : end[i] - begin[i]);
	return { n, begin, end, what, flags, counts, cover, blocks: null };
}

// ---- sections ----

/** Null: the page has no timeline. @returns {Promise<Index | null>} */
async function readIndex() {
	const bytes = await section('index');
	if (!bytes.length)
		return null;
	const c = new Cursor(bytes);
	if (c.next() !== VIEW_VERSION)
		throw new Error('this page was put together of parts that do not fit');
	const end = c.next(), least = c.next(), levels = c.next(), deeper = c.next();
	/** @type {Row[]} */
	const rows = [];
	for (let place = 0, n = c.next(); place < n; place++) {
		const process = c.next(), kind = c.next(), number = c.next();
		rows.push({ place, process, isVm: (kind & 1) !== 0, isVirtual: (kind & 2) !== 0,
			section: `rows.${number}`, at: c.next(), trackCount: c.next(), spans: c.next(),
			tracks: null, loading: null });
	}
	/** @type {ProcessFacts[]} */
	const processes = [];
	for (let i = 0, n = c.next(); i < n; i++)
		processes.push({ pid: c.next(), rank: c.next() - 1, role: c.text(), host: c.text(), job: c.text(), begin: c.next(), end: c.next(), cpu: c.next(), pauses: readTrack(c) });
	return { end, least, levels, deeper, rows, processes, nested: c.next() };
}

/** @param {Row} row @returns {Promise<void>} */
function loadRow(row) {
	if (!row.loading)
		row.loading = section(row.section).then(bytes => {
			const c = new Cursor(bytes, row.at);
			row.tracks = Array.from({ length: row.trackCount }, () => readTrack(c));
		});
	return row.loading;
}

/** @returns {Promise<Arrows>} */
async function readArrows() {
	const bytes = await section('arrows');
	const none = new Float64Array(0), nobody = new Uint32Array(0);
	if (!bytes.length)
		return { all: 0, n: 0, sent: none, received: none, from: nobody, to: nobody, tag: nobody };
	return arrowColumns(new Cursor(bytes));
}

/** @param {Cursor} c @returns {Arrows} */
function arrowColumns(c) {
	const all = c.next(), n = c.next();
	const sent = c.column(new Float64Array(n)), received = c.column(new Float64Array(n));
	for (let i = 0, before = 0; i < n; i++) {
		before = sent[i] += before;
		received[i] += before;
	}
	return { all, n, sent, received, from: c.column(new Uint32Array(n)), to: c.column(new Uint32Array(n)),
		tag: c.column(new Uint32Array(n)) };
}

/** The longest calls, by method. @returns {Promise<LongCall[][]>} */
async function readLongest() {
	const bytes = await section('longest');
	if (!bytes.length)
		return [];
	const c = new Cursor(bytes);
	return Array.from({ length: c.next() }, () => Array.from({ length: c.next() }, () => ({
		row: c.next(), level: c.next(), begin: c.next(), ns: c.next() })));
}

/** How long calls took, by method. `bars`: calls of each, that of I from edgeOf(first + I) on.
 * @typedef {{n: number, least: number, percentiles: number[], first: number, bars: number[]}} Durations */

/** Where a bar of a histogram begins: 0, 1, 2, 3, 4, 6, 8, 12 .. @param {number} i */
function edgeOf(i) {
	return i < 2 ? i : i % 2 ? 3 * 2 ** ((i - 1) / 2 - 1) : 2 ** (i / 2);
}

/** @returns {Promise<(Durations | null)[]>} */
async function readDurations() {
	const packed = await section('durations');
	if (!packed.length)
		return [];
	const c = new Cursor(packed);
	return Array.from({ length: c.next() }, () => {
		const n = c.next();
		if (!n)
			return null;
		const least = c.next(), percentiles = [c.next(), c.next(), c.next(), c.next()], first = c.next();
		return { n, least, percentiles, first, bars: Array.from({ length: c.next() }, () => c.next()) };
	});
}

/** Columns of the tree of calls of the whole run. @typedef {{n: number, parent: Uint32Array, method: Uint32Array, calls: Float64Array,
 * self: Float64Array}} CallTree */

/** @returns {Promise<CallTree | null>} */
async function readTree() {
	const packed = await section('tree');
	if (!packed.length)
		return null;
	const c = new Cursor(packed), n = c.next();
	const parent = c.column(new Uint32Array(n)), method = c.column(new Uint32Array(n));
	return { n, parent: parent.map((d, i) => i - d), method, calls: c.column(new Float64Array(n)), self: c.column(new Float64Array(n)) };
}

/** What calls have captured, by row, line and begin; names of arrows by their tags.
 * @typedef {{all: number, n: number, values: Map<string, {label: string, text: string}[]>, arrows: Map<number, string>}} Said */

/** @returns {Promise<Said>} */
async function readSaid() {
	/** @type {Said} */
	const said = { all: 0, n: 0, values: new Map(), arrows: new Map() };
	const packed = await section('said');
	if (!packed.length)
		return said;
	const c = new Cursor(packed);
	said.all = c.next();
	said.n = c.next();
	const columns = Array.from({ length: said.n }, () => [c.next(), c.next(), c.next(), c.next(), c.next(), c.next()]);
	/** @param {() => string} read @returns {Map<number, string>} */
	const names = read => new Map(Array.from({ length: c.next() }, () => [c.next(), read()]));
	const types = names(() => c.text()), texts = names(() => c.text());
	said.arrows = names(() => c.text());
	for (const [row, line, begin, type, isText, value] of columns) {
		const key = `${row} ${line} ${begin}`, list = said.values.get(key) || [];
		list.push({ label: types.get(type) || `captured ${type}`, text: isText && value ? texts.get(value) ?? `text ${value}` : String(value) });
		said.values.set(key, list);
	}
	return said;
}

// ---- tracks ----

/** The first I with LIST[I] > VALUE. @param {Float64Array} list @param {number} value */
function after(list, value) {
	let low = 0, high = list.length;
	while (low < high) {
		const mid = (low + high) >> 1;
		if (list[mid] > value)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/** The first I from LOW on with LIST[I] >= VALUE, which is likely to be near. @param {Float64Array} list
 * @param {number} value @param {number} low */
function from(list, value, low) {
	let step = 1, high = low;
	while (high < list.length && list[high] < value) {
		low = high + 1;
		high += step;
		step *= 2;
	}
	high = Math.min(high, list.length);
	while (low < high) {
		const mid = (low + high) >> 1;
		if (list[mid] < value)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/** The span at TIME; -1: there is none. @param {Track} track @param {number} time */
function spanAt(track, time) {
	const i = after(track.begin, time) - 1;
	return i >= 0 && (track.end[i] > time || track.begin[i] === time) ? i : -1;
}

const BLOCK = 64;

/** The longest of spans FIRST to LAST - 1. @param {Track} track @param {number} first @param {number} last */
function longestOf(track, first, last) {
	const { begin, end } = track;
	let best = first;
	/** @param {number} i */
	const look = i => {
		if (end[i] - begin[i] > end[best] - begin[best])
			best = i;
	};
	if (last - first > 2 * BLOCK) {
		if (!track.blocks) {
			track.blocks = new Uint32Array(Math.ceil(track.n / BLOCK));
			for (let b = 0; b < track.blocks.length; b++) {
				best = b * BLOCK;
				for (let i = best; i < Math.min(track.n, (b + 1) * BLOCK); i++)
					look(i);
				track.blocks[b] = best;
			}
			best = first;
		}
		const low = Math.ceil(first / BLOCK), high = Math.floor(last / BLOCK);
		for (let i = first; i < low * BLOCK; i++)
			look(i);
		for (let b = low; b < high; b++)
			look(track.blocks[b]);
		for (let i = high * BLOCK; i < last; i++)
			look(i);
	} else {
		for (let i = first + 1; i < last; i++)
			look(i);
	}
	return best;
}
