// flame.js: who calls whom, as widths.

const flameView = {
	/** @param {HTMLElement} into */
	show(into) {
		into.append(el('p', { class: 'notice' }, 'to come'));
	},
};
