import { html } from 'hono/html';
import { FORMATS_OF_ITEMS, ITEMS_INPUT } from '../../shared/representations/forms/inputs.ts';
import type { Place } from '../../shared/representations/representation.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { keyInput } from '../links.ts';
import type { Markup } from '../markup.ts';

/** A form that creates all items of a file; empty if the resource does not create several items at once. */
export function itemsForm(
  { name, title, routes }: Pick<ResourceFacts, 'name' | 'title' | 'routes'>,
  { basePath, requestId }: Pick<Place, 'basePath' | 'requestId'>,
): Markup | '' {
  const path = `/${name}`;
  if (!routes.some((one) => one.path === path && one.endpoints.POST?.several)) return '';
  const accept = [...FORMATS_OF_ITEMS.keys()].map((ending) => `.${ending}`).join(',');
  return html`<h2>${title} from a file</h2>
<form class="panel" method="post" action="${basePath}${path}" enctype="multipart/form-data">
${keyInput(requestId)}
<p><label for="items">File with many ${title.toLowerCase()}</label><input type="file" id="items" name="${ITEMS_INPUT}" accept="${accept}" aria-describedby="items-hint" required></p>
<p class="hint" id="items-hint">CSV with the names of the properties in its first row, JSON, JSON Lines or XML. At most 10,000 ${title.toLowerCase()} and 1 MB.</p>
<p><button>Create all</button></p>
</form>`;
}
