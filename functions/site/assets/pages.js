// Improves pages, which all work without it. The stylesheet needs no script, and this script needs no markup of its own.

// Times: UTC becomes the time of the person. A title has the exact time.
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `2 hours ago` for a time of the last week, otherwise the date and the time. */
function timeText(time) {
  const age = Date.now() - time;
  if (age > 7 * 86_400_000 || age < -60_000) return exact.format(time);
  const [unit, size] = UNITS.find(([, one]) => age >= one) ?? [];
  return unit ? relative.format(-Math.floor(age / size), unit) : 'just now';
}

for (const element of document.querySelectorAll('time[datetime*="T"]')) {
  const time = new Date(element.dateTime);
  if (Number.isNaN(time.getTime())) continue;
  element.title = exact.format(time);
  element.textContent = timeText(time);
}

// Keys. Each one does what a link, a button or a box of the page does.
const first = (selector) => document.querySelector(selector);
const rows = () => [...document.querySelectorAll('tbody tr')];
let present = -1;

/** Moves to another row: its link gets the focus. */
function move(step) {
  const all = rows();
  if (all.length === 0) return;
  const at = all.indexOf(document.activeElement?.closest('tr'));
  present = Math.min(Math.max((at < 0 ? present : at) + step, 0), all.length - 1);
  all[present].querySelector('a')?.focus();
}

const KEYS = {
  '/': ['Search', () => first('input[type="search"]')?.focus()],
  n: ['New', () => first('.head a[href*="/new"]')?.click()],
  e: ['Edit', () => first('.head a[href$="/edit"]')?.click()],
  j: ['Next row', () => move(1)],
  k: ['Previous row', () => move(-1)],
  x: [
    'Tick the row',
    () => document.activeElement?.closest('tr')?.querySelector('[type="checkbox"]')?.click(),
  ],
  '?': ['Show these keys', showKeys],
};

/** Shows the keys in a dialog, which Escape closes. */
function showKeys() {
  const dialog = document.createElement('dialog');
  dialog.ariaLabel = 'Keys';
  const list = document.createElement('dl');
  for (const [key, [label]] of Object.entries(KEYS)) {
    const name = document.createElement('dt');
    name.append(Object.assign(document.createElement('kbd'), { textContent: key }));
    list.append(name, Object.assign(document.createElement('dd'), { textContent: label }));
  }
  const close = Object.assign(document.createElement('button'), { textContent: 'Close', className: 'quiet' });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.append(list, close);
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  // A person who writes a text means the letter.
  const isText = target.matches('textarea, select, input:not([type="checkbox"])');
  if (isModified || isText || first('dialog[open]') || !Object.hasOwn(KEYS, key)) return;
  event.preventDefault();
  KEYS[key][1]();
});

// A box in the head of a list ticks all rows. Shift and a click tick all rows up to the last one.
const ticks = [...document.querySelectorAll('.ticks tbody [type="checkbox"]')];
if (ticks.length > 1) {
  const all = Object.assign(document.createElement('input'), { type: 'checkbox', ariaLabel: 'All rows' });
  first('.ticks thead th').prepend(all);
  all.addEventListener('change', () => {
    for (const tick of ticks) tick.checked = all.checked;
  });
  let last = 0;
  for (const [at, tick] of ticks.entries())
    tick.addEventListener('click', ({ shiftKey }) => {
      if (shiftKey)
        for (const one of ticks.slice(Math.min(at, last), Math.max(at, last))) one.checked = tick.checked;
      last = at;
      all.checked = ticks.every(({ checked }) => checked);
    });
}

// A button copies a secret, which is selectable text without it.
for (const secret of document.querySelectorAll('[data-copy]')) {
  const button = Object.assign(document.createElement('button'), { textContent: 'Copy', className: 'quiet' });
  secret.after(' ', button);
  button.addEventListener('click', async () => {
    getSelection().selectAllChildren(secret);
    await navigator.clipboard.writeText(secret.textContent);
    button.textContent = 'Copied';
  });
}

// The bar offers what the state of a ticked row allows.
const offered = [...document.querySelectorAll('.ticks [data-from]')];
first('.ticks')?.addEventListener('change', () => {
  const ticked = ticks.filter(({ checked }) => checked).map((tick) => tick.closest('tr'));
  const states = ticked.flatMap((row) => [...row.querySelectorAll('b')].map((one) => one.textContent));
  for (const one of offered)
    one.hidden = !one.dataset.from.split(',').some((state) => states.includes(state));
});

// Saved filters: this browser keeps links to a list. Without a script, a bookmark is such a link. They end at the sign-out.
const PLACE = 'filters ';
const place = PLACE + location.pathname;
const saved = () => JSON.parse(localStorage.getItem(place) ?? '{}');
const address = new URL(location.href);
for (const name of ['after', 'offset', ':done', ':made']) address.searchParams.delete(name);
const words = [...document.querySelectorAll('.chips a:has(.hidden)')].map((one) => one.lastChild.textContent);

function showSaved() {
  first('.saved')?.remove();
  const list = Object.assign(document.createElement('ul'), { className: 'links chips saved' });
  list.ariaLabel = 'Saved filters';
  const add = (child) => list.appendChild(document.createElement('li')).append(child);
  const all = saved();
  const name = words.join(', ');
  for (const [text, href] of Object.entries(all))
    if (text !== name) add(Object.assign(document.createElement('a'), { href, textContent: text }));
  if (name !== '') {
    const isSaved = name in all;
    const textContent = isSaved ? 'Forget these filters' : 'Save these filters';
    const button = Object.assign(document.createElement('button'), { className: 'quiet', textContent });
    button.addEventListener('click', () => {
      const { [name]: _, ...others } = all;
      const now = isSaved ? others : { ...others, [name]: address.pathname + address.search };
      localStorage.setItem(place, JSON.stringify(now));
      showSaved();
      first('.saved button').focus();
    });
    add(button);
  }
  if (list.hasChildNodes()) first('.filters')?.append(list);
}

showSaved();
first('.person')?.addEventListener('submit', () => {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PLACE)) localStorage.removeItem(key);
});
