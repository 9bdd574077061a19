// node speedscope.mjs MODULES CHROMIUM SHOTS FILE...: speedscope's own page opens each FILE in a browser. MODULES is
// npm's folder with speedscope, playwright-core and ajv. Prints for each FILE what the page says, with the name of
// the profile that it shows; or what went wrong; and "valid", or why speedscope's schema of the
// format refuses it. SHOTS: a folder for pictures; empty: none are taken.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [modules, chromium, shots, ...files] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), 'x.js'));
const playwright = require('playwright-core');
const Ajv = require('ajv');
const page_of = path.join(path.dirname(require.resolve('speedscope/package.json')), 'dist/release');
const schema = JSON.parse(fs.readFileSync(path.join(page_of, 'file-format-schema.json')));
const validate = new Ajv({ strict: false, allErrors: false }).compile(schema);

const browser = await playwright.chromium.launch({ executablePath: chromium, args: ['--no-sandbox', '--allow-file-access-from-files'] });
for (const file of files) {
	const text = fs.readFileSync(file);
	const page = await browser.newPage({ viewport: { width: 1200, height: 700 } });
	const wrong = [];
	page.on('pageerror', (e) => wrong.push(`page: ${e}`));
	page.on('console', (m) => m.type() === 'error' && !/favicon|ERR_FILE_NOT_FOUND/.test(m.text()) && wrong.push(`console: ${m.text()}`));
	page.on('dialog', (d) => { wrong.push(`dialog: ${d.message()}`); d.dismiss(); });
	const script = path.resolve(file + '.js'); // as speedscope's command does
	fs.writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(path.basename(file))}, "${text.toString('base64')}")`);
	await page.goto(pathToFileURL(path.join(page_of, 'index.html')).href + '#localProfilePath=' + script);
	const title = await page.waitForFunction(() => / - speedscope$/.test(document.title) && document.body.innerText, null, { timeout: 60000 })
		.then((t) => t.jsonValue(), () => 'nothing is shown');
	if (shots) {
		await page.waitForTimeout(400);
		await page.screenshot({ path: path.join(shots, path.basename(file) + '.png') });
	}
	const valid = validate(JSON.parse(text)) ? 'valid' : JSON.stringify(validate.errors);
	process.stdout.write([path.basename(file), title.replace(/\s+/g, ' '), valid, ...wrong].join('\t') + '\n');
	await page.close();
	fs.unlinkSync(script);
}
await browser.close();
