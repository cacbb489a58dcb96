import { html } from 'hono/html';
import type { Place } from '../../representations/representation.ts';
import type { Markup } from '../markup.ts';
import { COLLECTIONS } from './navigation.generated.ts';

/**
 * The links to the home page and to all collections. The one that the page belongs to is marked.
 *
 * Source: WAI-ARIA 1.2, `aria-current`: `page` for the present page, `true` for the present place.
 */
export const navigation = ({
  basePath,
  path,
}: Pick<
  Place,
  'basePath' | 'path'
>): Markup => html`<nav class="places" aria-label="Collections"><ul class="links">
<li><a href="${basePath || '/'}"${path === '/' && html` aria-current="page"`}>Home</a></li>
${COLLECTIONS.map((one) => html`<li><a href="${basePath}${one.path}"${current(one.path, path)}>${one.title}</a></li>`)}
</ul></nav>`;

function current(collection: string, path: string): Markup | '' {
  if (path === collection) return html` aria-current="page"`;
  return path.startsWith(`${collection}/`) ? html` aria-current="true"` : '';
}
