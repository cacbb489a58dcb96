// Shows the description beside this page. Everything is relative, so that the page knows no base path.
window.addEventListener('load', () => {
  let isLoaded = false;
  const ui = SwaggerUIBundle({
    url: 'openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    plugins: [searchable],
    responseInterceptor: (response) => {
      // The first one is the description. Later ones are those of requests that a person tries out.
      if (!isLoaded && response.ok) response.text = withoutRows(response.text);
      isLoaded = true;
      return response;
    },
    validatorUrl: null,
  });
  document.addEventListener('input', ({ target }) => {
    if (target.matches('.operation-filter-input') && target.value !== '') openFound(ui, target, target.value);
  });
});

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

// Swagger UI has the colours, and leaves the choice to the page.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', colour);
colour();

/** Every path has HEAD and OPTIONS, as HTTP wants it: as rows of their own they would hide the others. */
function withoutRows(text) {
  const description = JSON.parse(text);
  for (const path of Object.values(description.paths)) {
    delete path.head;
    delete path.options;
  }
  return JSON.stringify(description);
}

/** A plugin of Swagger UI that finds operations. */
const searchable = () => ({ fn: { opsFilter: matching } });

/** The operations with all words of the phrase in their method, path, summary or group; no group without any. */
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
