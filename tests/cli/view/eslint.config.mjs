// What is asked of share/view beside types (tsc --checkJs sees names that there are not): eslint's own list, and no
// way by which a name of a trace could become markup or code.
const markup = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write', 'writeln', 'createContextualFragment', 'setHTMLUnsafe'];

export default [{
	files: ['**/*.js'],
	languageOptions: { ecmaVersion: 2023, sourceType: 'script' },
	linterOptions: { reportUnusedDisableDirectives: 'error' },
	rules: {
		'eqeqeq': 'error', 'no-var': 'error', 'no-eval': 'error', 'no-implied-eval': 'error', 'no-new-func': 'error',
		'no-shadow': ['error', { builtinGlobals: false }], 'no-fallthrough': 'error', 'no-dupe-keys': 'error', 'no-unreachable': 'error',
		'no-self-compare': 'error', 'no-constant-condition': 'error', 'no-empty': 'error', 'no-sparse-arrays': 'error', 'no-unsafe-finally': 'error',
		'no-cond-assign': 'error', 'no-loss-of-precision': 'error', 'no-useless-escape': 'error', 'no-async-promise-executor': 'error',
		'complexity': ['error', 40], 'max-depth': ['error', 5], 'max-lines-per-function': ['error', 80], 'max-lines': ['error', 900],
		'no-restricted-globals': ['error', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'localStorage', 'sessionStorage', 'indexedDB', 'eval'],
		'no-restricted-properties': ['error', ...markup.map(property => ({ property, message: 'names are text' }))],
	},
}, {
	files: ['**/served.js'], // which asks the server that the page came from
	rules: { 'no-restricted-globals': ['error', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'localStorage', 'sessionStorage', 'indexedDB', 'eval'] },
}];
