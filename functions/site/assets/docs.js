// Shows the description from the directory of this page. All URLs are relative, so the page needs no base path.
window.addEventListener('load', () => {
  const ui = SwaggerUIBundle({
    url: document.querySelector('link[rel=service-desc]').href,
    dom_id: '#swagger-ui',
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
  document.addEventListener('input', ({ target }) => {
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
  else line.replaceChildren(...(name ? ['Signed in as ', name, '. '] : []), link('./', 'Home page'));
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
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
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
