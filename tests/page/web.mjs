// Asks the program of a site: a line [method, address, body] in, a line [status, headers, hex] out. With `times` after the
// site: how many milliseconds it takes for each address, of a processor and by the clock, the least of seven, each in a program that was just
// started; and first how many until it has started and answered a charge.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [, , site, times] = process.argv;
const here = join(site, readdirSync(site).find(name => name.startsWith('v-')));
const engine = new Function(`${readFileSync(join(here, 'engine.js'), 'utf8')}; return { ask };`)();
const bytes = new TextEncoder();
const ask = (program, [method, address, body]) => engine.ask(program, '', method, address, bytes.encode(body));

async function started() {
  const { instance } = await WebAssembly.instantiate(readFileSync(join(here, 'grapeshot.wasm')), {});
  if (!instance.exports.start()) throw new Error('the rulesets do not load');
  return instance.exports;
}

async function worked(task) {
  const [from, began] = [process.cpuUsage(), performance.now()];
  await task();
  const { user, system } = process.cpuUsage(from);
  return [(user + system) / 1000, performance.now() - began];
}

const visits = readFileSync(0, 'utf8').trim().split('\n').map(line => JSON.parse(line));
let program;
const first = await worked(async () => {
  program = await started();
  if (times) ask(program, ['GET', '/elephant/charge', '']);
});
if (times) console.log(JSON.stringify(['start', ...first]));
for (const visit of visits) {
  if (times) {
    let least = [Infinity, Infinity];
    for (let time = 0; time < 7; time += 1) {
      program.start();
      const took = await worked(() => ask(program, visit));
      least = least.map((value, at) => Math.min(value, took[at]));
    }
    console.log(JSON.stringify([visit[1], ...least]));
    continue;
  }
  const told = ask(program, visit);
  const headers = told.headers.map(pair => pair.join(': ')).sort();
  process.stdout.write(`${JSON.stringify([told.status, headers, Buffer.from(told.bytes).toString('hex')])}\n`);
}
