// picture.js: the timeline as it is drawn, and the minimap.
//
// Every line is first a row of pixels (paint.js). Lines become a picture at once; names and hatches follow.

const MAP_FLAT = 8, MAP_EDGE = 2; // pixels that the frame covers
// arrows of each direction; pixels from one to the next; so many are drawn in full, very many in this part of it
const ARROWS_DRAWN = 100, ARROWS_APART = 4, ARROWS_SOLID = 10, ARROWS_FAINTEST = 0.25;

/** How high a sum of threads is in the minimap, up to 1. Where a few moments had many more threads than most have, a straight scale
 * would leave nothing to see of the rest, so heights are logarithms, of one more. @param {Float64Array} totals of all pixels */
function mapScale(totals) {
	const some = totals.filter(n => n > 0).sort(), most = Math.max(1, some[some.length - 1] || 0);
	const isLog = some.length > 0 && some[some.length >> 1] * MAP_FLAT < most;
	return { most, isLog, height: (/** @type {number} */ n) => isLog ? Math.log1p(n) / Math.log1p(most) : n / most };
}

class TimelinePicture extends TimelineRows {
	draw() {
		if (!this.wanted)
			this.wanted = requestAnimationFrame(() => {
				this.wanted = 0;
				if (this.alive())
					this.drawNow();
			});
	}

	/** @param {number} t */
	x(t) {
		return GUTTER + (t - shown.from) / (shown.to - shown.from) * (this.width - GUTTER);
	}

	/** @param {number} x */
	timeAt(x) {
		return shown.from + (x - GUTTER) / (this.width - GUTTER) * (shown.to - shown.from);
	}

	visible() {
		const top = this.stage.scrollTop, bottom = top + this.height - AXIS;
		return this.lines.filter(line => line.y + line.height > top && line.y < bottom);
	}

	drawNow() {
		const c = this.context, ratio = window.devicePixelRatio || 1;
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.fillStyle = paint.ground;
		c.fillRect(0, 0, this.width, this.height);
		c.save();
		c.beginPath();
		c.rect(0, AXIS, this.width, this.height - AXIS);
		c.clip();
		c.translate(0, AXIS - this.stage.scrollTop);
		const lines = this.visible();
		this.drawGrid(c, lines);
		this.drawLines(c, lines);
		this.drawPauses(c, lines);
		this.drawRange(c);
		this.drawNames(c, lines);
		drawPath(this, c);
		this.drawArrows(c);
		this.drawSelection(c);
		c.restore();
		this.drawAxis(c);
		this.drawMap();
		wantDetail(lines.flatMap(line => line.row && line.row.tracks ? [line.row] : []), shown.from, shown.to);
		const step = (shown.to - shown.from) / Math.max(1, this.width - GUTTER);
		this.where.textContent = `${moment(shown.from, step * 10)} – ${moment(shown.to, step * 10)}, ${time(shown.to - shown.from)}`;
	}

	/** Ticks: times, as far apart as they can be read. */
	ticks() {
		const width = shown.to - shown.from, least = width / Math.max(2, (this.width - GUTTER) / 110);
		const base = 10 ** Math.floor(Math.log10(least));
		const step = [1, 2, 5, 10].map(f => f * base).find(s => s >= least) || base;
		const list = [];
		for (let t = Math.ceil(shown.from / step) * step; t <= shown.to; t += step)
			list.push(t);
		return { step, list };
	}

	/** @param {CanvasRenderingContext2D} c @param {Line[]} lines */
	drawGrid(c, lines) {
		const top = this.stage.scrollTop;
		c.fillStyle = paint.line;
		for (const t of this.ticks().list)
			c.fillRect(Math.round(this.x(t)), top, 1, this.height);
		for (const line of lines)
			c.fillRect(0, line.y + line.height - 1, this.width, 1);
	}

	/** @param {CanvasRenderingContext2D} c */
	drawAxis(c) {
		c.fillStyle = paint.panel;
		c.fillRect(0, 0, this.width, AXIS);
		c.fillStyle = paint.line;
		c.fillRect(0, AXIS - 1, this.width, 1);
		c.font = '11px system-ui, sans-serif';
		c.textBaseline = 'middle';
		const { step, list } = this.ticks();
		for (const t of list) {
			const x = Math.round(this.x(t));
			c.fillStyle = paint.line;
			c.fillRect(x, AXIS - 6, 1, 5);
			c.fillStyle = paint.muted;
			const text = moment(t, step), half = c.measureText(text).width / 2;
			if (x - half > GUTTER - 4 && x + half < this.width)
				c.fillText(text, x - half, AXIS / 2 - 1);
		}
		c.fillStyle = paint.muted;
		for (const mark of this.closings())
			c.fillText('▾', mark.x - c.measureText('▾').width / 2, AXIS - 6);
		c.fillText(plural(this.lines.filter(line => line.row && !line.row.isVm).length, 'thread'), 10, AXIS / 2 - 1);
	}

	/** Where methods were closed; those a few pixels apart together. */
	closings() {
		/** @type {{x: number, methods: Method[]}[]} */
		const marks = [];
		for (const m of methodsByClosing()) {
			const x = this.x(m.closed), last = marks[marks.length - 1];
			if (last && x - last.x < 8)
				last.methods.push(m);
			else if (x >= GUTTER && x < this.width)
				marks.push({ x, methods: [m] });
		}
		return marks;
	}

	/** @param {CanvasRenderingContext2D} c @param {Line[]} lines */
	drawLines(c, lines) {
		const ratio = window.devicePixelRatio || 1, width = Math.max(1, Math.round((this.width - GUTTER) * ratio)), scale = width / (shown.to - shown.from);
		/** @type {{track: Track, isStates: boolean, y: number, height: number}[]} */
		const tracks = [];
		for (const line of lines) {
			if (!line.row)
				continue;
			if (!line.row.tracks) {
				loadRow(line.row).then(() => this.draw());
				continue;
			}
			tracks.push({ track: line.row.tracks[0], isStates: true, y: line.y + 2, height: STATE_HEIGHT });
			for (let level = 1; level <= line.levels && level < line.row.tracks.length; level++)
				tracks.push({ track: line.row.tracks[level], isStates: false, y: line.y + 3 + STATE_HEIGHT + (level - 1) * LEVEL_HEIGHT, height: LEVEL_HEIGHT - 1 });
		}
		if (!tracks.length)
			return;
		if (paint.methods.length !== model.methods.length + 1)
			paintMethods();
		const picture = new ImageData(width, tracks.length), pixels = new Uint32Array(picture.data.buffer);
		const wides = tracks.map((t, i) => drawLine(t.track, t.isStates, pixels.subarray(i * width, (i + 1) * width), shown.from, scale, 26 * ratio));
		this.lineCanvas.width = width;
		this.lineCanvas.height = tracks.length;
		/** @type {CanvasRenderingContext2D} */ (this.lineCanvas.getContext('2d')).putImageData(picture, 0, 0);
		c.imageSmoothingEnabled = false;
		tracks.forEach((t, i) => c.drawImage(this.lineCanvas, 0, i, width, 1, GUTTER, t.y, this.width - GUTTER, t.height));
		c.font = '11px system-ui, sans-serif';
		c.textBaseline = 'middle';
		tracks.forEach((t, i) => {
			for (const wide of wides[i])
				this.drawWide(c, t, wide, ratio);
		});
	}

	/** @param {CanvasRenderingContext2D} c @param {{isStates: boolean, y: number, height: number}} t @param {Wide} wide
	 * @param {number} ratio */
	drawWide(c, t, wide, ratio) {
		const x = GUTTER + wide.x / ratio, width = wide.width / ratio;
		if (wide.isSum) {
			c.fillStyle = this.hatch(c);
			c.fillRect(x, t.y, width, t.height);
		}
		if (t.isStates || width < 26)
			return;
		c.fillStyle = paint.ink;
		if (found && found.has(wide.what))
			c.fillStyle = '#000';
		const text = fitMethod(methodName(wide.what), width - 7);
		if (text)
			c.fillText(text, x + 3, t.y + t.height / 2 + 0.5);
	}

	/** @param {CanvasRenderingContext2D} c */
	hatch(c) {
		if (!paint.pattern) {
			const tile = document.createElement('canvas');
			tile.width = tile.height = 6;
			const t = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
			t.strokeStyle = paint.hatch;
			t.lineWidth = 1;
			t.beginPath();
			for (const d of [-6, 0, 6]) {
				t.moveTo(d - 1, 7);
				t.lineTo(d + 7, -1);
			}
			t.stroke();
			paint.pattern = c.createPattern(tile, 'repeat');
		}
		return paint.pattern || paint.hatch;
	}

	/** Pauses of the collector, across the rows of their process. @param {CanvasRenderingContext2D} c @param {Line[]} lines */
	drawPauses(c, lines) {
		const index = /** @type {Index} */ (model.index);
		c.fillStyle = paint.gc;
		index.processes.forEach((process, number) => {
			const mine = lines.filter(line => line.row && line.process === number), t = process.pauses;
			if (!mine.length || !t.n)
				return;
			let drawn = -1;
			for (let i = after(t.end, shown.from); i < t.n && t.begin[i] < shown.to; i++) {
				const x = Math.max(GUTTER, Math.floor(this.x(t.begin[i]))), right = Math.min(this.width, Math.max(x + 1, this.x(t.end[i])));
				if (right <= drawn)
					continue;
				drawn = right;
				for (const line of mine)
					c.fillRect(x, line.y, right - x, line.height);
			}
		});
	}

	/** @param {CanvasRenderingContext2D} c */
	drawRange(c) {
		const range = this.drag || shown.range;
		if (!range)
			return;
		const a = Math.max(GUTTER, this.x(Math.min(...range))), b = Math.min(this.width, this.x(Math.max(...range)));
		if (b < a)
			return;
		c.fillStyle = paint.range;
		c.fillRect(a, this.stage.scrollTop, b - a, this.height);
		c.fillStyle = paint.accent;
		c.fillRect(a, this.stage.scrollTop, 1, this.height);
		c.fillRect(b - 1, this.stage.scrollTop, 1, this.height);
	}

	/** @param {CanvasRenderingContext2D} c @param {Line[]} lines */
	drawNames(c, lines) {
		c.fillStyle = paint.panel;
		c.fillRect(0, this.stage.scrollTop, GUTTER, this.height);
		c.fillStyle = paint.line;
		c.fillRect(GUTTER - 1, this.stage.scrollTop, 1, this.height);
		c.textBaseline = 'middle';
		for (const line of lines) {
			c.fillStyle = paint.line;
			c.fillRect(0, line.y + line.height - 1, GUTTER, 1);
			if (!line.row) {
				c.fillStyle = paint.muted;
				c.font = '600 11px system-ui, sans-serif';
				c.fillText(model.processes[line.process].label, 10, line.y + line.height / 2);
				continue;
			}
			const picked = shown.selection && shown.selection.row === line.row.place;
			if (picked) {
				c.fillStyle = paint.range;
				c.fillRect(0, line.y, GUTTER - 1, line.height - 1);
			}
			c.fillStyle = line.row.isVm ? paint.muted : paint.text;
			c.font = `${picked ? '600 ' : ''}12px system-ui, sans-serif`;
			const open = line.row.trackCount > 1 ? line.levels > 0 ? '▾' : '▸' : '';
			c.fillText(open, 9, line.y + 12);
			c.fillText(fitEnds(`${pinned.has(line.row.place) ? '• ' : ''}${shown.sort === 'start' && !pinned.has(line.row.place) ? threadName(line.row.place) || '(no name)' : threadLabel(line.row.place)}`, GUTTER - 34, 6.6), 22, line.y + 12, GUTTER - 30);
			if (line.height >= 40) {
				const thread = model.report.threads[line.row.place];
				c.fillStyle = paint.muted;
				c.font = '11px system-ui, sans-serif';
				c.fillText(fitText(`${time(thread.runningNs)} running · ${plural(thread.calls, 'call')}`, GUTTER - 34), 22, line.y + 28);
			}
			if (!line.row.tracks) {
				c.fillStyle = paint.muted;
				c.fillText('reading …', GUTTER + 8, line.y + 12);
			}
		}
	}

	/** The selection's line. */
	selectionBox() {
		const s = selected(), line = s && this.lines.find(l => l.row === s.row);
		if (!s || !line || s.level > line.levels)
			return null;
		const y = s.level ? line.y + 3 + STATE_HEIGHT + (s.level - 1) * LEVEL_HEIGHT : line.y + 2;
		return { s, y, height: s.level ? LEVEL_HEIGHT - 1 : STATE_HEIGHT };
	}

	/** @param {CanvasRenderingContext2D} c */
	drawSelection(c) {
		const box = this.selectionBox(), sel = shown.selection;
		if (!box)
			return;
		const a = Math.max(GUTTER + 1, this.x(box.s.begin)), b = Math.min(this.width - 1, this.x(box.s.end));
		if (b >= a - 2) {
			c.strokeStyle = paint.text;
			c.lineWidth = 2;
			c.strokeRect(a - 1, box.y - 1, Math.max(3, b - a + 2), box.height + 2);
		}
		if (sel && sel.exact) {
			const x = this.x(sel.at);
			c.fillStyle = paint.accent;
			c.fillRect(Math.round(x), box.y - 4, 2, box.height + 8);
		}
	}

	/** @param {number} place @param {number} at */
	arrowY(place, at) {
		const line = this.lines.find(l => l.row && l.row.place === place);
		if (!line || !line.row)
			return null;
		const call = line.row.tracks ? innermost(line.row, at) : { level: 0 };
		const level = Math.min(line.levels, Math.max(0, call.level));
		return level ? line.y + 3 + STATE_HEIGHT + (level - 1) * LEVEL_HEIGHT + LEVEL_HEIGHT / 2 : line.y + 2 + STATE_HEIGHT / 2;
	}

	/** Where arrows LIST are drawn; of those that would cover each other, one. @param {number[]} list */
	arrowCurves(list) {
		const a = /** @type {Arrows} */ (model.arrows), drawn = new Set(), curves = [];
		for (const i of list) {
			const y0 = this.arrowY(a.from[i], a.sent[i]), y1 = this.arrowY(a.to[i], a.received[i]);
			if (y0 === null || y1 === null)
				continue;
			const x0 = this.x(a.sent[i]), x1 = this.x(a.received[i]), where = [Math.round(x0 / ARROWS_APART), Math.round(x1 / ARROWS_APART), y0, y1].join(' ');
			if (!drawn.has(where))
				curves.push({ x0, y0, x1, y1 });
			drawn.add(where);
		}
		return curves;
	}

	/** The arrows of the selection: the more there are, the fainter. @param {CanvasRenderingContext2D} c */
	drawArrows(c) {
		const s = selected();
		if (!model.arrows || !s)
			return;
		const { come, go } = arrowsAt(s), curves = this.arrowCurves([...come.slice(-ARROWS_DRAWN), ...go.slice(0, ARROWS_DRAWN)]);
		c.save();
		c.beginPath();
		c.rect(GUTTER, this.stage.scrollTop, this.width, this.height);
		c.clip();
		c.strokeStyle = c.fillStyle = paint.arrow;
		c.lineWidth = 1.5;
		c.globalAlpha = Math.max(ARROWS_FAINTEST, Math.min(1, ARROWS_SOLID / Math.max(1, curves.length)));
		for (const { x0, y0, x1, y1 } of curves) {
			const down = y1 > y0 ? 1 : -1, bend = Math.max(12, Math.min(60, Math.abs(y1 - y0) / 2));
			c.beginPath();
			c.moveTo(x0, y0);
			c.bezierCurveTo(x0, y0 + down * bend, x1, y1 - down * bend, x1, y1 - down * 5);
			c.stroke();
			c.beginPath();
			c.moveTo(x1, y1);
			c.lineTo(x1 - 3.5, y1 - down * 7);
			c.lineTo(x1 + 3.5, y1 - down * 7);
			c.fill();
		}
		c.restore();
	}

	// ---- the minimap ----

	/** How many threads did what, over the whole run. */
	makeMap() {
		const width = this.map.width, height = this.map.height, index = /** @type {Index} */ (model.index);
		const per = KINDS.map(() => new Float64Array(width)), scale = width / (model.end - model.begin);
		for (const row of index.rows) {
			const t = row.tracks && row.tracks[0];
			if (!t || row.isVm) // no thread of the program
				continue;
			for (let i = 0; i < t.n; i++) {
				const kind = kindOf(t.what[i]);
				if (kind < 0)
					continue;
				const a = (t.begin[i] - model.begin) * scale, b = (t.end[i] - model.begin) * scale, whole = t.end[i] - t.begin[i], busy = whole ? (t.cover[i + 1] - t.cover[i]) / whole : 0;
				const pauses = t.what[i] === STATE_OTHERS ? index.processes[row.process].pauses : null; // as in figures, what the collector stops is not other
				for (let p = Math.floor(a); p < b && p < width; p++) {
					const from = Math.max(a, p), to = Math.min(b, p + 1), gc = pauses ? busyIn(pauses, model.begin + from / scale, model.begin + to / scale) * scale : 0;
					per[kind][p] += Math.max(0, to - from - gc) * busy;
					per[TIME_GC][p] += Math.min(to - from, gc) * busy;
				}
			}
		}
		const totals = Float64Array.from({ length: width }, (_, p) => per.reduce((n, list) => n + list[p], 0)), scaled = mapScale(totals);
		this.mapText = `${plural(Math.round(scaled.most), 'thread')} at most${scaled.isLog ? '; heights are logarithms' : ''}`;
		this.map.setAttribute('aria-label', `The whole run: how many threads did what, ${this.mapText}. Drag to choose what the timeline shows.`);
		const picture = new ImageData(width, height), pixels = new Uint32Array(picture.data.buffer).fill(paint.groundPixel);
		for (let p = 0; p < width; p++) {
			let y = height - MAP_EDGE;
			const each = totals[p] ? scaled.height(totals[p]) * (height - 2 * MAP_EDGE) / totals[p] : 0;
			per.forEach((list, kind) => {
				const top = y - list[p] * each;
				for (let q = Math.round(y) - 1; q >= Math.round(top) && q >= 0; q--)
					pixels[q * width + p] = paint.kinds[kind];
				y = top;
			});
		}
		return picture;
	}

	drawMap() {
		const c = this.map.getContext('2d'), width = this.map.width, height = this.map.height;
		if (!c || !width)
			return;
		this.mapPixels = this.mapPixels || this.makeMap();
		c.putImageData(this.mapPixels, 0, 0);
		const ratio = window.devicePixelRatio || 1;
		c.font = `${10.5 * ratio}px system-ui, sans-serif`;
		c.textBaseline = 'top';
		c.strokeStyle = paint.ground;
		c.lineWidth = 3 * ratio;
		c.lineJoin = 'round';
		c.strokeText(this.mapText, 8 * ratio, 5 * ratio);
		c.fillStyle = paint.muted;
		c.fillText(this.mapText, 8 * ratio, 5 * ratio);
		const scale = width / (model.end - model.begin), a = (shown.from - model.begin) * scale, b = Math.max(a + 2, (shown.to - model.begin) * scale);
		c.fillStyle = paint.range;
		c.fillStyle = `${paint.ground}90`;
		c.fillRect(0, 0, a, height);
		c.fillRect(b, 0, width - b, height);
		c.strokeStyle = paint.accent;
		c.lineWidth = 2;
		c.strokeRect(a + 1, 1, b - a - 2, height - 2);
		if (shown.range) {
			c.fillStyle = paint.range;
			c.fillRect((shown.range[0] - model.begin) * scale, 0, Math.max(1, (shown.range[1] - shown.range[0]) * scale), height);
		}
	}
}
