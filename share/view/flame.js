// flame.js: who calls whom, as widths: below each method what it called, or, turned over, who called it.

const FLAME_HEIGHT = 18;

/** A box of the graph. @typedef {{method: number, weight: number, calls: number, self: number, depth: number, x: number, width: number,
 *     parent: FlameBox | null, children: FlameBox[]}} FlameBox */

/** @param {number} method @param {FlameBox | null} parent @returns {FlameBox} */
function newBox(method, parent) {
	return { method, weight: 0, calls: 0, self: 0, depth: parent ? parent.depth + 1 : 0, x: 0, width: 0, parent, children: [] };
}

/** @param {TreeNode} node */
function weightOf(node) {
	return shown.by === 'calls' ? node.calls : Math.max(0, node.self);
}

/** The boxes of TREE as it is: methods below their callers. @param {Tree} tree */
function boxesDown(tree) {
	const boxes = tree.nodes.map(() => newBox(0, null));
	tree.nodes.forEach((node, at) => {
		if (!at)
			return;
		const parent = boxes[node.parent];
		boxes[at] = Object.assign(newBox(node.method, parent), { weight: weightOf(node), calls: node.calls, self: Math.max(0, node.self) });
		parent.children.push(boxes[at]);
	});
	for (let at = boxes.length - 1; at > 0; at--)
		boxes[tree.nodes[at].parent].weight += boxes[at].weight;
	return boxes[0];
}

const TURNED_LEVELS = 40;

/** Turned over: callers below the methods that spend the time. @param {Tree} tree */
function boxesUp(tree) {
	const root = newBox(0, null);
	/** @type {Map<FlameBox, Map<number, FlameBox>>} */
	const known = new Map();
	tree.nodes.forEach((node, at) => {
		const weight = at ? weightOf(node) : 0;
		if (!weight)
			return;
		root.weight += weight;
		for (let up = at, box = root, level = 0; up && level < TURNED_LEVELS; up = tree.nodes[up].parent, level++) {
			let children = known.get(box);
			if (!children)
				known.set(box, children = new Map());
			let child = children.get(tree.nodes[up].method);
			if (!child) {
				child = newBox(tree.nodes[up].method, box);
				children.set(child.method, child);
				box.children.push(child);
			}
			child.weight += weight;
			child.calls += node.calls;
			child.self += level ? 0 : Math.max(0, node.self);
			box = child;
		}
	});
	return root;
}

// ---- two colours: what has changed since an earlier run ----

/** Red: more of its own time than in the earlier run; blue: less; the paler, the less. Grey: nobody knows. */
function changeColours() {
	const all = changesByMethod(), dark = isDark(), light = dark ? 0.46 : 0.85;
	const most = [...all.values()].reduce((ns, c) => c.partly ? ns : Math.max(ns, Math.abs(c.b - c.a)), 1), grey = pixel(oklch(light, 0, 0));
	return Uint32Array.from({ length: model.methods.length + 1 }, (_, number) => {
		const c = all.get(number), change = c ? (c.b - c.a) / most : 0;
		const colour = c && c.partly ? grey : pixel(oklch(light, 0.01 + 0.11 * Math.sqrt(Math.abs(change)), change > 0 ? 25 : 255));
		return found && !found.has(number) ? mix(colour, paint.groundPixel, 0.3) : colour;
	});
}

class Flame {
	/** @param {HTMLElement} into @param {Tree} tree */
	constructor(into, tree) {
		this.tree = tree;
		this.root = shown.turned ? boxesUp(tree) : boxesDown(tree);
		this.zoomed = this.root;
		/** @type {FlameBox} */
		this.focus = this.root;
		/** @type {FlameBox[]} */
		this.boxes = [];
		this.canvas = /** @type {HTMLCanvasElement} */ (el('canvas', { 'aria-hidden': 'true' }));
		this.space = el('div');
		this.stage = el('div', { class: 'flame', tabindex: 0, role: 'application', 'aria-label': 'Flame graph: arrow keys go from box to box, Enter zooms in, Backspace out' }, this.canvas, this.space);
		this.line = el('output', { class: 'flame-line' });
		into.append(this.line, this.stage);
		this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
		new ResizeObserver(() => this.layOut()).observe(this.stage);
		this.stage.addEventListener('scroll', () => {
			hideTip();
			this.draw();
		});
		this.stage.addEventListener('keydown', event => this.key(event));
		this.canvas.addEventListener('mousemove', event => this.hover(event));
		this.canvas.addEventListener('mouseleave', hideTip);
		this.canvas.addEventListener('click', event => {
			const box = this.at(event);
			if (box)
				this.zoom(box);
		});
		for (const method of shown.zoom ? shown.zoom.split('.').map(Number) : [])
			this.zoomed = this.focus = this.zoomed.children.find(box => box.method === method) || this.zoomed;
		this.layOut();
	}

	/** @param {FlameBox} box */
	zoom(box) {
		this.zoomed = this.focus = box;
		const methods = [];
		for (let up = box; up.parent; up = up.parent)
			methods.unshift(up.method);
		shown.zoom = methods.join('.');
		changed('zoom');
		hideTip();
		this.stage.scrollTop = 0;
		this.layOut();
	}

	/** Places of all boxes that are wide enough to be seen. */
	layOut() {
		const width = this.stage.clientWidth, whole = Math.max(1, this.zoomed.weight);
		/** @type {FlameBox[]} */
		const path = [];
		for (let up = this.zoomed.parent; up; up = up.parent)
			path.unshift(up);
		this.boxes = [];
		let deepest = 0;
		for (const box of [...path, this.zoomed]) {
			box.x = 0;
			box.width = width;
			this.boxes.push(box);
		}
		/** @type {FlameBox[]} */
		const stack = [this.zoomed];
		for (let box = stack.pop(); box; box = stack.pop()) {
			deepest = Math.max(deepest, box.depth);
			let x = box.x;
			for (const child of box.children.sort((a, b) => b.weight - a.weight)) {
				child.x = x;
				child.width = child.weight / whole * width;
				x += child.width;
				if (child.width < 0.4)
					break;
				this.boxes.push(child);
				stack.push(child);
			}
		}
		const ratio = window.devicePixelRatio || 1, height = Math.max(40, this.stage.clientHeight);
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.canvas.style.width = `${width}px`;
		this.canvas.style.height = `${height}px`;
		this.space.style.height = `${Math.max(0, (deepest + 1) * FLAME_HEIGHT + 6 - height)}px`;
		this.draw();
		this.tell();
	}

	/** What is drawn of BOX's name. @param {FlameBox} box */
	name(box) {
		return box === this.root ? shown.thread === null ? 'all threads' : threadLabel(shown.thread) : methodName(box.method);
	}

	/** @param {number} weight */
	figure(weight) {
		return shown.by === 'calls' ? plural(weight, 'call') : time(weight);
	}

	draw() {
		if (!this.stage.isConnected)
			return;
		const c = this.context, ratio = window.devicePixelRatio || 1, top = this.stage.scrollTop, bottom = top + this.stage.clientHeight;
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.fillStyle = paint.ground;
		c.fillRect(0, 0, this.canvas.width, this.canvas.height);
		c.font = '11px system-ui, sans-serif';
		c.textBaseline = 'middle';
		const colours = shown.colour === 'change' ? changeColours() : paint.methods;
		for (const box of this.boxes) {
			const y = box.depth * FLAME_HEIGHT - top;
			if (y + FLAME_HEIGHT < 0 || y > bottom - top)
				continue;
			const colour = box === this.root ? 0 : colours[box.method] || colours[0];
			c.globalAlpha = box.depth < this.zoomed.depth ? 0.55 : 1;
			c.fillStyle = box === this.root ? paint.panel : `rgb(${colour & 255},${colour >> 8 & 255},${colour >> 16 & 255})`;
			c.fillRect(box.x, y, Math.max(0.5, box.width - (box.width > 2 ? 1 : 0)), FLAME_HEIGHT - 1);
			if (box.width > 26) {
				c.fillStyle = box === this.root ? paint.text : found && found.has(box.method) ? '#000' : paint.ink;
				c.fillText(fitMethod(this.name(box), box.width - 8), box.x + 4, y + FLAME_HEIGHT / 2);
			}
			if (box === this.focus) {
				c.strokeStyle = paint.text;
				c.lineWidth = 2;
				c.strokeRect(box.x + 1, y + 1, Math.max(2, box.width - 3), FLAME_HEIGHT - 3);
			}
		}
		c.globalAlpha = 1;
	}

	/** What the search has found of all, each box once. */
	foundWeight() {
		let sum = 0;
		/** @type {FlameBox[]} */
		const stack = [this.root];
		for (let box = stack.pop(); box; box = stack.pop()) {
			if (found && box !== this.root && found.has(box.method))
				sum += box.weight;
			else
				stack.push(...box.children);
		}
		return sum;
	}

	tell() {
		const box = this.focus, whole = this.root.weight;
		this.line.textContent = `${this.name(box)} — ${this.figure(box.weight)}, ${percent(box.weight, whole)} of all${box === this.root ? '' : `, self ${time(box.self)}, ${plural(box.calls, 'call')}`}` +
			(found ? ` · found ${this.figure(this.foundWeight())}, ${percent(this.foundWeight(), whole)}` : '');
	}

	/** @param {MouseEvent} event */
	at(event) {
		const area = this.canvas.getBoundingClientRect(), x = event.clientX - area.left, depth = Math.floor((event.clientY - area.top + this.stage.scrollTop) / FLAME_HEIGHT);
		return this.boxes.find(box => box.depth === depth && x >= box.x && x < box.x + Math.max(1, box.width));
	}

	/** @param {MouseEvent} event */
	hover(event) {
		const box = this.at(event), tip = byId('tip');
		tip.hidden = !box;
		if (!box)
			return;
		tip.replaceChildren(el('b', {}, this.name(box)), el('span', {}, `${this.figure(box.weight)} · ${percent(box.weight, this.root.weight)}`),
			box === this.root ? '' : el('span', {}, `self ${time(box.self)}, ${plural(box.calls, 'call')}`), box.method ? el('small', {}, model.methods[box.method - 1].full) : '', this.changeOf(box));
		tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8)}px`;
		tip.style.top = `${Math.min(event.clientY + 16, window.innerHeight - tip.offsetHeight - 8)}px`;
	}

	/** How its method's own time has changed, in words. @param {FlameBox} box */
	changeOf(box) {
		const c = model.diff && shown.colour === 'change' ? changesByMethod().get(box.method) : undefined;
		return c ? el('span', {}, `own time of all its calls: ${time(c.a)} before, ${time(c.b)} now${c.partly ? '; not all of it was recorded, or it holds that of closed methods: nobody knows whether that has changed' : ` (${c.b > c.a ? '+' : ''}${time(c.b - c.a)})`}`) : '';
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const box = this.focus, beside = box.parent ? box.parent.children : [box], at = beside.indexOf(box);
		/** @type {FlameBox | null | undefined} */
		let next;
		if (event.key === 'ArrowDown')
			next = box.children[0];
		else if (event.key === 'ArrowUp')
			next = box.parent;
		else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
			next = beside[at + (event.key === 'ArrowRight' ? 1 : -1)];
		else if (event.key === 'Enter')
			this.zoom(box);
		else if (event.key === 'Backspace')
			this.zoom(this.zoomed.parent || this.root);
		else
			return;
		event.preventDefault();
		event.stopPropagation();
		if (next) {
			this.focus = next;
			if (next.depth < this.zoomed.depth || next.width < 2)
				this.zoom(next);
			const y = next.depth * FLAME_HEIGHT;
			if (y < this.stage.scrollTop || y + FLAME_HEIGHT > this.stage.scrollTop + this.stage.clientHeight)
				this.stage.scrollTop = y - this.stage.clientHeight / 2;
			this.draw();
			this.tell();
		}
	}
}

/** Threads that called something, as many as a list can have, and the one that is shown. */
function threadChoices() {
	/** @type {[string, string][]} */
	const list = model.report.threads.map((/** @type {any} */ t, /** @type {number} */ i) => [String(i), labelOf(t.name, t.task)])
		.filter((/** @type {any} */ _, /** @type {number} */ i) => model.report.threads[i].calls).slice(0, 2000);
	if (shown.thread !== null && !list.some(([i]) => Number(i) === shown.thread))
		list.unshift([String(shown.thread), threadLabel(shown.thread)]);
	return list;
}

const flameView = {
	/** @type {Flame | null} */ now: null,
	/** @param {HTMLElement} into */
	async show(into) {
		if (!model.index) {
			into.append(el('p', { class: 'notice' }, 'A summary does not tell who called whom.'));
			return;
		}
		paint = makePaint();
		paintMethods();
		/** @param {string} label @param {[string, string][]} options @param {string} value @param {(v: string) => void} act */
		const choice = (label, options, value, act) => {
			const list = /** @type {HTMLSelectElement} */ (el('select', {}, ...options.map(([id, name]) => el('option', { value: id }, name))));
			list.value = value;
			list.addEventListener('change', () => {
				act(list.value);
				changed('tab');
			});
			return el('label', {}, label, list);
		};
		into.append(el('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Flame graph' },
			choice('Width', [['self', 'time'], ['calls', 'calls']], shown.by === 'calls' ? 'calls' : 'self', v => {
				shown.by = v;
			}),
			choice('Below', [['', 'what it called'], ['1', 'who called it']], shown.turned ? '1' : '', v => {
				shown.turned = v === '1';
				shown.zoom = '';
			}),
			choice('Of', [['', 'all threads'], ...threadChoices()], shown.thread === null ? '' : String(shown.thread), v => {
				shown.thread = v === '' ? null : Number(v);
			}),
			model.diff ? choice('Colour', [['change', 'by change since the earlier run'], ['', 'by package']], shown.colour, v => {
				shown.colour = v;
			}) : null,
			shown.colour === 'change' ? el('span', { class: 'legend inline' }, el('span', {}, el('i', { class: 'swatch grew' }), 'more own time than before'), el('span', {}, el('i', { class: 'swatch shrank' }), 'less'), [...changesByMethod().values()].some(c => c.partly) ? el('span', {}, el('i', { class: 'swatch partly' }), 'not all was recorded') : null) : null,
			button('All of it', () => flameView.now && flameView.now.zoom(flameView.now.root))));
		const loading = el('p', { class: 'loading' }, 'Adding up the calls …');
		into.append(loading);
		const [a, b] = shown.range || [model.begin, model.end];
		/** @type {Tree} */
		let tree;
		try {
			await readHolders();
			tree = await treeOf(a, b, shown.thread);
		} catch (error) {
			loading.replaceWith(failNotice(error, showTab));
			return;
		}
		if (!loading.isConnected)
			return;
		loading.remove();
		into.append(closedNotice());
		if (!tree.exact)
			into.append(el('p', { class: 'notice' }, inexactText()));
		if (tree.nodes.length === 1)
			into.append(el('p', { class: 'notice' }, shown.range ? 'No call was made in the range.' : 'No call was recorded.'));
		else
			flameView.now = new Flame(into, tree);
	},
};
on('flame', () => {
	if (shown.tab === 'flame' && flameView.now) {
		paintMethods();
		flameView.now.draw();
		flameView.now.tell();
	}
});
