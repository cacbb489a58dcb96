// Shows the description from the directory of this page. All URLs are relative, so the page needs no base path.
const host = document.getElementById('swagger-ui');

/** What Swagger UI takes from the design of all pages. */
const OWN = `
  :host, :host(.dark-mode), :host(.dark-mode) .swagger-ui { background: none; }
  .swagger-ui .wrapper { max-width: none; padding: 0; }
  .swagger-ui .info { margin: 0 0 1.5rem; }
  .swagger-ui .info .title { color: inherit; font-size: 1.25rem; }
  .swagger-ui .scheme-container { padding: 0 0 1rem; background: none; box-shadow: none; }
  .swagger-ui .btn, .swagger-ui .opblock, .swagger-ui input, .swagger-ui select { border-radius: var(--radius); box-shadow: none; }
  .swagger-ui .opblock-tag, .swagger-ui .opblock-tag:hover { background: none; border-color: var(--line); }
  .swagger-ui .btn.execute, .swagger-ui .btn.authorize { border-color: var(--link); background: none; color: var(--link); }
  .swagger-ui .btn.authorize svg { fill: currentColor; }
  .swagger-ui .info a { color: var(--link); }`;

/** Returns the style of Swagger UI, which applies to its element alone. It has the dark theme for a whole document. */
async function styleOf(answer) {
  const text = (await answer.text())
    .replaceAll('html.dark-mode', ':host(.dark-mode)')
    .replaceAll('font-family:sans-serif', 'font-family:inherit');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text + OWN);
  return sheet;
}

window.addEventListener('load', async () => {
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [await styleOf(await fetch('assets/swagger-ui.css'))];
  const ui = SwaggerUIBundle({
    url: document.querySelector('link[rel=service-desc]').href,
    domNode: root.appendChild(document.createElement('div')),
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    plugins: [searchable],
    responseInterceptor: (response) => {
      // The token of the sign-in can have expired.
      if (!response.ok) showPerson();
      return response;
    },
    validatorUrl: null,
  });
  showPerson();
  root.addEventListener('input', ({ target }) => {
    if (target.matches('.operation-filter-input') && target.value !== '') openFound(ui, target, target.value);
  });
});

/**
 * Shows who is signed in, as the home page does. If the home page leads to the sign-in, a link here leads there too, and
 * the sign-in leads back. Without a response, nothing changes. Requests that a person tries out carry the cookie of the
 * sign-in, which no script can read.
 */
async function showPerson() {
  const home = await fetch('./', { headers: { Accept: 'text/html' }, redirect: 'manual' }).catch(() => {});
  if (!home) return;
  const page = new DOMParser().parseFromString(await home.text(), 'text/html');
  const name = page.querySelector('.person strong');
  const line = document.getElementById('person');
  if (home.type === 'opaqueredirect')
    line.replaceChildren(
      link(`sign-in?to=${encodeURIComponent(location.pathname + location.search)}`, 'Sign in'),
      ' to try requests out.',
    );
  else line.replaceChildren(...(name ? ['Signed in as ', name] : []));
}

function link(href, text) {
  const anchor = document.createElement('a');
  anchor.href = href;
  anchor.append(text);
  return anchor;
}

/** Opens the groups that a search found, once Swagger UI has searched. */
function openFound(ui, input, phrase) {
  const { specSelectors, layoutSelectors, layoutActions } = ui;
  if (input.value !== phrase) return;
  if (layoutSelectors.currentFilter() !== phrase) return void setTimeout(openFound, 50, ui, input, phrase);
  for (const name of specSelectors.taggedOperations().keys()) {
    const group = ['operations-tag', name];
    if (!layoutSelectors.isShown(group, false)) layoutActions.show(group, true);
  }
}

// Swagger UI has a dark theme, but the page must select it.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const colour = () => host.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', colour);
colour();

/** A plugin of Swagger UI that finds operations. */
const searchable = () => ({ fn: { opsFilter: matching } });

/** The operations with all words of the phrase in their method, path, summary or group. Leaves out empty groups. */
function matching(groups, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  const isFound = (name) => (operation) => {
    const summary = operation.getIn(['operation', 'summary']);
    const text = [operation.get('method'), operation.get('path'), summary, name].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group, name) => group.update('operations', (all) => all.filter(isFound(name))))
    .filter((group) => group.get('operations').size > 0);
}
