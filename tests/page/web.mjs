// Asks the program of a site: a line [method, address, body] in, a line [status, headers, hex] out.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const site = process.argv[2];
const here = join(site, readdirSync(site).find(name => name.startsWith('v-')));
const engine = new Function(`${readFileSync(join(here, 'engine.js'), 'utf8')}; return { ask };`)();
const { instance } = await WebAssembly.instantiate(readFileSync(join(here, 'grapeshot.wasm')), {});
if (!instance.exports.start()) throw new Error('the rulesets do not load');
const bytes = new TextEncoder();
for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const [method, address, body] = JSON.parse(line);
  const told = engine.ask(instance.exports, '', method, address, bytes.encode(body));
  const headers = told.headers.map(pair => pair.join(': ')).sort();
  process.stdout.write(`${JSON.stringify([told.status, headers, Buffer.from(told.bytes).toString('hex')])}\n`);
}
