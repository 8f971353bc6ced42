
for (const table of document.querySelectorAll('table.sortable:not([data-live])')) {
  table.dataset.live = '';
  [...table.tHead.rows[0].cells].forEach((heading, at) => {
    if (!heading.textContent.trim()) return;
    const button = document.createElement('button');
    button.append(...heading.childNodes);
    heading.append(button);
    let up = false;
    button.addEventListener('click', () => {
      up = !up;
      const body = table.tBodies[0];
      const key = row => row.cells[at].dataset.key ?? row.cells[at].textContent;
      const rows = [...body.rows].sort((a, b) => {
        const x = parseFloat(key(a)), y = parseFloat(key(b));
        const order = isNaN(x) || isNaN(y) ? key(a).localeCompare(key(b)) : x - y;
        return up ? order : -order;
      });
      body.append(...rows);
    });
  });
}
// A link into a folded chapter opens it; on paper everything is open.
const unfold = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  target.querySelector(':scope > details.chapter')?.setAttribute('open', '');
  for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', unfold);
unfold();
let folded = [];
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('body.whole details:not([open])')];
  for (const part of folded) part.open = true;
});
addEventListener('afterprint', () => { for (const part of folded) part.open = false; });
