// What happened, kept in this browser: a log as the command line reads it, with what is needed to take back the last of it.
const journal = {
  read: () => { try { return JSON.parse(localStorage.getItem('grapeshot-evening')) ?? []; } catch { return []; } },
  write: said => { try { localStorage.setItem('grapeshot-evening', JSON.stringify(said)); } catch { /* nothing is kept then */ } },
};
const turnOf = said => 1 + said.filter(one => one.turn).length;
const logOf = said => {
  let turn = 1;
  return ['# turn 1', ...said.map(one => (one.turn ? `# turn ${turn += 1}` : one.line))].join('\n') + '\n';
};

// The units go on as they are left; where they came from is remembered, to take it back.
document.addEventListener('click', event => {
  const link = event.target.closest('.happened a.next');
  if (!link) return;
  const line = link.closest('.happened').dataset.log;
  journal.write([...journal.read(), { line, at: location.pathname + location.search }]);
}, true);

let told = { log: '', luck: '' };
async function evening() {
  one('.evening')?.remove();
  const said = journal.read(), happened = said.filter(entry => entry.line);
  if (!said.length || !one('#question')) return;
  const change = to => { journal.write(to); evening(); };
  const line = element('p', { className: 'pills evening' });
  line.setAttribute('role', 'group');
  line.setAttribute('aria-label', 'The evening');
  const luck = element('span', { textContent: told.luck });
  const next = element('button', { type: 'button', textContent: 'Next turn', onclick: () => change([...said, { turn: true }]) });
  const back = element('button', { type: 'button', textContent: 'Undo', onclick: () => {
    const last = said.at(-1);
    journal.write(said.slice(0, -1));
    if (last.at) location.assign(last.at);
    else evening();
  } });
  const all = element('a', { href: one('.brand').href.replace(/\/$/, '') + '/evening', textContent: 'The evening' });
  line.append(element('span', { textContent: `Turn ${turnOf(said)}, ${happened.length} noted.` }), luck, next, back, all);
  one('.table').before(line);
  const log = logOf(said);
  if (!happened.length || told.log === log) return;
  const sum = await summed(log).catch(() => null);
  told = { log, luck: sum ? one('.finding', sum)?.textContent ?? '' : '' };
  luck.textContent = told.luck;
}

// The running luck, by the numbers of the command line; of rules of one's own by the text of this page.
async function summed(log) {
  const base = one('.brand').href.replace(/\/$/, '');
  const rules = new URLSearchParams([...new URLSearchParams(location.search)].filter(([key]) => ['house', 'text', 'from'].includes(key)));
  const { page: fresh } = await page(`${base}/evening?${rules}`, { method: 'POST', body: new URLSearchParams({ log }) });
  return one('#part', fresh);
}

// On the page of the evening the log stands in its field, and can be taken away.
function logged() {
  const field = one('#log');
  if (!field || one('.keeping')) return;
  const said = journal.read();
  if (said.length && !field.value.trim()) {
    field.value = logOf(said);
    summed(field.value).then(sum => one('#part').replaceChildren(...document.adoptNode(sum).childNodes)).catch(() => {});
  }
  const save = element('button', { type: 'button', textContent: 'The log as a file', onclick: () => saved('evening.log', field.value, 'text/plain') });
  const anew = element('button', { type: 'button', textContent: 'A new evening', onclick: () => { journal.write([]); location.reload(); } });
  one('#evening').after(element('p', { className: 'pills keeping' }, save, anew));
}
