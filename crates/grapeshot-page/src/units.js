// Units that are kept under a name, in this browser alone; and the answer before, beside the one now.
const shelf = {
  read: () => {
    try {
      const kept = JSON.parse(localStorage.getItem('grapeshot-units')) ?? [];
      // What an earlier page kept called its settings otherwise.
      return kept.map(({ name, rules, said, settings = said }) => ({ name, rules, settings }));
    } catch { return []; }
  },
  write: units => { try { localStorage.setItem('grapeshot-units', JSON.stringify(units)); } catch { /* nothing is kept then */ } },
};
const element = (name, properties, ...inside) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside);
  return made;
};
const rules = () => location.pathname.replace(/^.*?([^/]+)\/[^/]+(\/decide)?\/?$/, '$1');
const own = field => field.dataset.key.split('.').slice(1).join('.');

// What stands in a side: key without the side, and value; nothing for what follows another.
function unit(side) {
  const said = {};
  for (const field of all('.field[data-key]', side)) {
    const input = one('input[type=checkbox], input:checked, input[type=number], input[type=text], select', field);
    if (!input) continue;
    said[own(field)] = input.type === 'checkbox' ? String(input.checked) : input.value;
  }
  return said;
}

// Sets a side to a unit; what the unit does not say stays as it is.
function muster(side, said) {
  for (const field of all('.field[data-key]', side)) {
    const value = said[own(field)];
    if (value === undefined) continue;
    for (const input of all('input, select', field)) {
      if (input.type === 'radio') input.checked = input.value === value;
      else if (input.type === 'checkbox') input.checked = value === 'true';
      else if (input.type !== 'hidden') input.value = value;
    }
  }
}

function keep(side) {
  const name = prompt('A name for this unit');
  if (!name) return;
  shelf.write([...shelf.read().filter(known => known.name !== name || known.rules !== rules()), { name, rules: rules(), settings: unit(side) }]);
  shelve();
}

function saved(download, text, type) {
  const link = element('a', { href: URL.createObjectURL(new Blob([text], { type })), download });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A roster, as `grapeshot field` and `--roster` take it: numbers and yes or no stand bare.
const bare = value => (/^(-?\d+|true|false)$/.test(value) ? value : JSON.stringify(value));
const roster = units => units.map(({ name, rules, settings }) => [
  '[[unit]]', `name = ${JSON.stringify(name)}`, `rules = ${JSON.stringify(rules)}`, '[unit.settings]',
  ...Object.entries(settings).map(([key, value]) => `${key.includes('.') ? JSON.stringify(key) : key} = ${bare(value)}`), '',
].join('\n')).join('\n');
const exported = () => saved('roster.toml', roster(shelf.read()), 'application/toml');

async function imported(file) {
  try {
    const body = new URLSearchParams({ file: file.name, text: await file.text() });
    const response = await fetch(`${one('.brand').href.replace(/\/$/, '')}/api/units`, { method: 'POST', body });
    const told = await response.json();
    if (!response.ok) throw new Error(told.error);
    const units = told.map(({ name, rules, settings }) => ({ name, rules, settings }));
    const named = new Map([...shelf.read(), ...units].map(known => [`${known.rules} ${known.name}`, known]));
    shelf.write([...named.values()]);
    shelve();
  } catch (problem) {
    alert(`No units were taken: ${problem.message}`);
  }
}

// A row of units above each side, and what concerns them all below the form.
function shelve() {
  const sides = all('#question .sides .side');
  for (const old of all('.shelf')) old.remove();
  for (const side of sides) {
    const name = one('h2', side).textContent;
    const given = JSON.parse(one('#question').dataset.units ?? '[]');
    const mine = [...given, ...shelf.read().filter(known => known.rules === rules())];
    const picked = mine.map(known => element('button', { type: 'button', textContent: known.name, onclick: () => { muster(side, known.settings); ask(); } }));
    const save = element('button', { type: 'button', textContent: 'Keep this unit', onclick: () => keep(side) });
    const row = element('p', { className: 'pills shelf' }, ...picked, save);
    row.setAttribute('role', 'group');
    row.setAttribute('aria-label', `My units for ${name}`);
    one('h2', side).after(row);
  }
  if (sides.length < 2) return;
  const swap = element('button', { type: 'button', textContent: 'Swap sides', onclick: () => {
    const [first, second] = sides.map(unit);
    muster(sides[0], second);
    muster(sides[1], first);
    ask();
  } });
  const save = element('button', { type: 'button', textContent: 'My units to a file', onclick: exported, hidden: shelf.read().length === 0 });
  const file = element('input', { type: 'file', accept: '.toml', className: 'unseen', onchange: event => imported(event.target.files[0]) });
  file.setAttribute('aria-label', 'Units from a file');
  const open = element('button', { type: 'button', textContent: 'Units from a file', onclick: () => file.click() });
  file.tabIndex = -1;
  one('.sides').after(element('p', { className: 'pills shelf' }, swap, save, open, file));
}

// What it was before, and what was pinned, beside what it is now.
let pinned, before;
function compared() {
  for (const old of all('.before, .two, .taking, .scan')) old.remove();
  const told = one('#verdict > .sentence');
  if (!told || !one('#question')) return;
  const row = element('p', { className: 'pills taking' });
  const now = one('.sentence[data-percent]');
  if (now) row.append(...beside(now));
  if (navigator.share) {
    row.append(element('button', { type: 'button', textContent: 'Share', onclick: () => navigator.share({ title: document.title, text: told.textContent, url: location.href }).catch(() => {}) }));
  } else {
    row.append(element('button', { type: 'button', className: 'copy', textContent: 'Copy link' }));
  }
  // A code for the camera of whoever sits opposite.
  row.append(element('button', { type: 'button', textContent: 'Code', onclick: () => {
    const old = one('.scan');
    if (old) return old.remove();
    const base = one('.brand').href.replace(/\/$/, '');
    const code = element('img', { src: `${base}/code.svg?${new URLSearchParams({ of: location.href })}`, alt: 'The link to this answer, as a code to scan', width: 320, height: 320 });
    row.after(element('p', { className: 'scan' }, code));
  } }));
  // Below what sticks to the top, which has room for the answer alone.
  one('#verdict').after(row);
}

// What it was, in the sentence's own place, and what pins it.
function beside(now) {
  const is = { percent: Number(now.dataset.percent), of: now.dataset.of, sentence: now.textContent, picture: one('.seen .hundred')?.cloneNode(true) };
  const from = pinned ?? before;
  if (!before || before.percent !== is.percent || before.of !== is.of) before = is;
  if (from && from.of === is.of && from !== is && from.percent !== is.percent) {
    const by = Math.round(is.percent) - Math.round(from.percent);
    const line = `${pinned ? 'pinned' : 'before'} ${Math.round(from.percent)} → now ${Math.round(is.percent)} (${by < 0 ? '−' : '+'}${Math.abs(by)})`;
    now.after(element('p', { className: 'before', textContent: line }));
  }
  // Both answers side by side, whatever is changed meanwhile.
  if (pinned && from !== is && from.sentence !== is.sentence) {
    const column = (name, answer) => element('div', {}, element('h2', { textContent: name }), element('p', { textContent: answer.sentence }), answer.picture?.cloneNode(true) ?? '');
    one('#answer').prepend(element('section', { className: 'two' }, column('Pinned', pinned), column('Now', is)));
  }
  return [element('button', { type: 'button', textContent: pinned ? 'Unpin' : 'Pin this', onclick: () => { pinned = pinned ? undefined : is; compared(); } })];
}

// What stands in a field is tapped to be replaced.
document.addEventListener('focusin', event => {
  if (event.target.matches('#question input[type=number], #question input[type=text]')) event.target.select();
});
