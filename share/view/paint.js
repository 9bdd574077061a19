// paint.js: colours, and lines of pixels: what the timeline and the flame graph are drawn with.
//
// What covers a pixel is a search in a sorted column, so that a line costs as much as the window has pixels, however long
// the run.

/** What the canvas is drawn with; made anew for each theme. @type {ReturnType<typeof makePaint>} */
let paint = makePaint();

function makePaint() {
	const style = getComputedStyle(document.documentElement);
	const value = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
	return { text: value('--text'), muted: value('--muted'), line: value('--line'), ground: value('--ground'), panel: value('--panel'), accent: value('--accent'),
		range: value('--range'), gc: value('--gc-veil'), ink: value('--ink'), hatch: value('--hatch'), arrow: value('--arrow'), path: value('--path'),
		kinds: KINDS.map(kind => pixel(rgbOf(value(`--kind-${kind.key}`)))), groundPixel: pixel(rgbOf(value('--ground'))),
		methods: new Uint32Array(0), pattern: /** @type {CanvasPattern | null} */ (null) };
}

/** @param {string} text "#rrggbb" @returns {[number, number, number]} */
function rgbOf(text) {
	const n = parseInt(text.slice(1), 16) || 0;
	return [n >> 16 & 255, n >> 8 & 255, n & 255];
}

/** As a picture has it, on machines that have the lowest byte first. @param {[number, number, number]} rgb */
function pixel([r, g, b]) {
	return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

/** @param {number} a a pixel @param {number} b another @param {number} part of A */
function mix(a, b, part) {
	const f = Math.round(part * 256), g = 256 - f;
	return (255 << 24 | ((a >> 16 & 255) * f + (b >> 16 & 255) * g >> 8) << 16 | ((a >> 8 & 255) * f + (b >> 8 & 255) * g >> 8) << 8 | ((a & 255) * f + (b & 255) * g >> 8)) >>> 0;
}

/** Colours of methods, by number; those that the search does not find fade. */
function paintMethods() {
	const dark = isDark(), grey = pixel(dark ? [72, 78, 88] : [206, 210, 216]);
	paint.methods = new Uint32Array(model.methods.length + 1);
	paint.methods[0] = grey;
	model.methods.forEach((m, i) => {
		const colour = pixel(methodColour(m, m.name, dark));
		paint.methods[i + 1] = found ? found.has(i + 1) ? pixel(rgbOf(getComputedStyle(document.documentElement).getPropertyValue('--found').trim())) : mix(colour, paint.groundPixel, 0.3) : colour;
	});
}

// ---- lines of pixels ----

/** A span wide enough for a name, or a hatch. @typedef {{x: number, width: number, what: number, isSum: boolean}} Wide */

/**
 * Draws TRACK into OUT, a row of pixels, from time T0 on; SCALE: pixels a ns. Returns what is wide enough for a name.
 * @param {Track} track @param {boolean} isStates @param {Uint32Array} out @param {number} t0 @param {number} scale
 * @param {number} wide @returns {Wide[]}
 */
function drawLine(track, isStates, out, t0, scale, wide) {
	const { begin, end, what, flags, cover, n } = track, width = out.length, t1 = t0 + width / scale, ground = paint.groundPixel;
	/** @type {Wide[]} */
	const list = [];
	for (let i = after(end, t0); i < n && begin[i] < t1;) {
		const x = (begin[i] - t0) * scale, right = (end[i] - t0) * scale;
		if (right - x < 1.5) {
			const p = Math.max(0, Math.floor(x));
			let j = from(begin, t0 + (p + 1) / scale, i + 1);
			if (j - 1 > i && (end[j - 1] - begin[j - 1]) * scale >= 1.5)
				j--;
			const best = j - i > 1 ? longestOf(track, i, j) : i, colour = colourOf(isStates, what[best]);
			if (colour && p < width)
				out[p] = mix(colour, ground, Math.max(0.35, Math.min(1, (cover[j] - cover[i]) * scale)));
			i = j;
			continue;
		}
		let colour = colourOf(isStates, what[i]);
		if (colour) {
			const isSum = (flags[i] & IS_SUM) !== 0, first = Math.max(0, Math.round(x)), last = Math.min(width, Math.max(first + 1, Math.round(right)));
			if (isSum)
				colour = mix(colour, ground, Math.max(0.3, Math.min(1, (cover[i + 1] - cover[i]) / (end[i] - begin[i]))));
			out.fill(colour, first, last);
			if (!isStates && last - first >= 3 && last < width)
				out[last - 1] = mix(colour, ground, 0.45);
			if (last - first >= (isSum ? 4 : wide))
				list.push({ x: first, width: last - first, what: what[i], isSum });
		}
		i++;
	}
	return list;
}

/** @param {boolean} isStates @param {number} what @returns {number} 0: nothing */
function colourOf(isStates, what) {
	if (!isStates)
		return paint.methods[what] || paint.methods[0];
	const kind = kindOf(what);
	return kind < 0 ? 0 : paint.kinds[kind];
}

// ---- names ----

/** TEXT as far as it fits WIDTH pixels. @param {string} text @param {number} width @param {number} letter */
function fitText(text, width, letter = 6.4) {
	const room = Math.floor(width / letter);
	if (text.length <= room)
		return text;
	return room < 3 ? '' : `${text.slice(0, room - 1)}…`;
}

/** TEXT without its middle where it does not fit: names of threads differ at their ends. @param {string} text @param {number} width @param {number} letter */
function fitEnds(text, width, letter = 6.4) {
	const room = Math.floor(width / letter);
	return room < 6 ? fitText(text, width, letter) : withoutMiddle(text, room);
}

/** The same of a method's name: without its class rather than without its end. @param {string} name @param {number} width */
function fitMethod(name, width) {
	return name.length * 6.4 <= width ? name : fitText(name.slice(name.lastIndexOf('.') + 1), width);
}
