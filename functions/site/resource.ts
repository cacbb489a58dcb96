import { text } from '../../shared/resource/description/fields.ts';
import { API_CATALOG, DOCUMENTATION, OPENAPI } from '../../shared/resource/link.ts';
import { resource } from '../../shared/resource/resource.ts';
import { authenticated, open } from '../../shared/resource/route.ts';
import { publication } from '../../shared/resource/styles/store-and-binaries.ts';
import { ASSET_TYPES, CATALOG, DESCRIPTIONS, HTML, JSON_SCHEMA } from './media-types.ts';
import { RESOURCE, readAsset, readCatalog, readDocs, readOpenApi, readSchema } from './published-files.ts';

/** The OpenAPI description, the documentation page, the JSON Schemas and the API catalog. */
export const site = resource({
  name: 'site',
  title: 'Documentation',
  about: 'This description, a documentation page, the JSON Schemas and a catalog of APIs.',
  parameters: {
    name: text('Name', { maximum: 100, example: 'member' }),
    [RESOURCE]: text('Resource whose part is wanted', { maximum: 100, example: 'orders', seldom: true }),
  },
  uses: [{ objects: 'site/', access: 'published' }],
  routes: () => [
    ...open(
      publication(OPENAPI, {
        summary: 'Read the OpenAPI description',
        run: readOpenApi,
        parameters: [RESOURCE],
        mediaTypes: DESCRIPTIONS.map(({ mediaType }) => mediaType),
      }),
    ),
    ...open(
      publication(DOCUMENTATION, {
        summary: 'Read the documentation page',
        run: readDocs,
        parameters: [RESOURCE],
        mediaTypes: [HTML],
      }),
    ),
    // The documentation page loads them, so they are open like the page.
    ...open(
      publication('/assets/{name}', {
        summary: 'Read a file of the documentation page',
        run: readAsset,
        mediaTypes: [...new Set(Object.values(ASSET_TYPES))],
      }),
    ),
    ...authenticated(
      publication('/schemas/{name}', {
        summary: 'Read the JSON Schema of an item or a list',
        run: readSchema,
        mediaTypes: [JSON_SCHEMA],
      }),
    ),
    ...open(
      publication(API_CATALOG, {
        summary: 'Read the catalog of APIs',
        run: readCatalog,
        mediaTypes: [CATALOG],
      }),
    ),
  ],
});
