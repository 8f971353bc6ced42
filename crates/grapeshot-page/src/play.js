// Rules of one's own, tried while they are written. A text that is too long for a link stays in this browser.
const draft = {
  read: () => { try { return localStorage.getItem('grapeshot-text'); } catch { return null; } },
  write: text => { try { localStorage.setItem('grapeshot-text', text); } catch { /* it is only on the page then */ } },
};

// A text as it is posted: packed as in a link, where the browser can.
async function posting(text) {
  if (!('CompressionStream' in window)) return { method: 'POST', body: new URLSearchParams({ text }) };
  const packing = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packing).arrayBuffer());
  const letters = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
  const packed = letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return { method: 'POST', body: new URLSearchParams({ packed }) };
}

// What is posted with a question whose link says that its text is kept here.
function withDraft(address) {
  const stays = new URL(address, location.href).searchParams.get('text') === 'kept';
  const text = stays && draft.read();
  return text ? posting(text) : undefined;
}

async function tryIt() {
  const text = one('#text'), mine = ++newest, said = text.value;
  root.classList.add('waiting');
  try {
    const { page: fresh } = await page(location.href, await posting(said));
    if (mine !== newest) return;
    besideText(fresh);
    const link = one('link[rel=canonical]', fresh);
    if (link) history.replaceState(null, '', link.getAttribute('href'));
    if (location.search.includes('text=kept')) draft.write(said);
  } catch (problem) {
    if (mine === newest) lost(`Not tried: ${problem.message}.`);
  } finally {
    if (mine === newest) root.classList.remove('waiting');
  }
}

// Everything but the text is replaced; while it does not hold together, its last answer stays.
function besideText(fresh) {
  const here = one('main'), now = one('main', fresh), table = one('.table', here);
  one('#messages').replaceChildren(...document.adoptNode(one('#messages', fresh)).childNodes);
  const answered = one('#question', now);
  table.classList.toggle('stale', !answered);
  if (!answered && one('#question')) {
    const [first] = one('#messages li').innerText.split('\n');
    lost(`These are the odds of the text before. Now: ${first}`);
  } else if (!answered) {
    one('#verdict').replaceChildren(...document.adoptNode(one('#verdict', now)).childNodes);
  } else {
    document.title = fresh.title;
    const parts = from => [...from.children].filter(part => part.id !== 'editor' && !part.classList.contains('table'));
    for (const old of [...parts(here), ...parts(table)]) old.remove();
    table.append(...parts(one('.table', now)).map(part => document.adoptNode(part)));
    table.before(...parts(now).map(part => document.adoptNode(part)));
  }
  ready();
}

// The lines are numbered, and those that something is wrong with are marked.
function lined() {
  const text = one('#text');
  if (!text) return;
  let gutter = one('.gutter');
  if (!gutter) {
    gutter = element('div', { className: 'gutter' });
    gutter.setAttribute('aria-hidden', 'true');
    text.before(gutter);
    text.addEventListener('scroll', () => { gutter.scrollTop = text.scrollTop; });
    const save = element('button', { type: 'button', textContent: 'The text as a file', onclick: () => saved('rules.drill', text.value, 'text/plain') });
    one('#messages').after(element('p', { className: 'pills' }, save));
  }
  const wrong = new Map(all('#messages li[data-line]').reverse().map(told => [Number(told.dataset.line), told.className]));
  const numbers = text.value.split('\n').map((_, at) => element('span', { textContent: at + 1, className: wrong.get(at + 1) ?? '' }));
  gutter.replaceChildren(...numbers);
  gutter.scrollTop = text.scrollTop;
  for (const at of all('#messages b.at')) {
    const line = Number(at.closest('li').dataset.line);
    at.replaceWith(element('button', { type: 'button', className: 'at', textContent: at.textContent, onclick: () => toLine(line) }));
  }
}

function toLine(line) {
  const text = one('#text'), lines = text.value.split('\n');
  const from = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(from, from + (lines[line - 1] ?? '').length);
  text.scrollTop = Math.max(0, line - 4) * text.scrollHeight / lines.length;
}

let typed;
document.addEventListener('input', event => {
  if (event.target.id !== 'text') return;
  lined();
  clearTimeout(typed);
  typed = setTimeout(tryIt, 300);
});

// A link that says that its text is kept: it is kept here, or nowhere.
function drafted() {
  if (one('#kept') && draft.read()) go(location.href, { whole: true });
}
