import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { BRAND } from '../../service/about.ts';
import { isInstalled, PACKAGE, SERVICE } from '../../service/folders.ts';
import { API_CATALOG, DOCUMENTATION, OPENAPI } from '../../shared/resource/link.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { openApi } from '../document.ts';
import { partsOf } from '../part.ts';
import { jsonSchemas } from '../schemas/json-schemas.ts';
import { pathsOf } from '../targets.ts';
import { openApi32 } from '../version-3-2.ts';
import { documentationPages } from './documentation-pages.ts';

/**
 * The service publishes everything below this folder: stylesheets, scripts, images. The generated pages join these
 * files.
 */
const OWN = join(import.meta.dirname, '../../functions/site/assets');

/** The documentation page, without the values of a service. */
const TEMPLATE = 'docs.html';

/** The files of Swagger UI that the documentation page needs. */
export const SWAGGER_UI = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Returns the files of the site by object key below `site/`, for the base path that clients see. */
export function siteFiles(registry: readonly Resource[], basePath: string): ReadonlyMap<string, Buffer> {
  const document = openApi(registry, { basePath });
  const files = new Map<string, Buffer>();
  const json = (key: string, value: unknown) => files.set(key, Buffer.from(`${JSON.stringify(value)}\n`));

  json('openapi.json', document);
  json('openapi-3.2.json', openApi32(document, registry));
  const parts = partsOf(document, registry, `${basePath}${OPENAPI}`);
  json('resources.json', [...parts.keys()]);
  for (const [name, part] of parts) {
    json(`openapi/${name}.json`, part);
    json(`openapi-3.2/${name}.json`, openApi32(part, registry));
  }
  json('api-catalog.json', apiCatalog(registry, basePath));
  for (const [name, schema] of jsonSchemas(registry, document, basePath))
    json(`schemas/${name}.json`, schema);
  for (const name of readdirSync(OWN).sort()) {
    const bytes = readFileSync(join(OWN, name));
    if (name !== TEMPLATE) files.set(`assets/${name}`, bytes);
    else
      for (const [key, page] of documentationPages(String(bytes), parts)) files.set(key, Buffer.from(page));
  }
  if (BRAND.logo !== undefined) files.set('assets/icon.svg', readFileSync(join(SERVICE, BRAND.logo)));
  if (BRAND.color !== undefined)
    files.set('assets/pages.css', colored(files.get('assets/pages.css'), BRAND.color));
  for (const name of SWAGGER_UI) files.set(`assets/${name}`, readFileSync(join(swaggerUi(), name)));
  return files;
}

/**
 * Returns the stylesheet with another color of the brand. All other colors follow from it. @throws Error if CSS has no such
 * color
 */
function colored(stylesheet: Buffer | undefined, color: string): Buffer {
  if (!/^#[0-9a-f]{3,6}$|^[a-z]+$|^(?:rgb|hsl|oklch)\([\d.%\s/deg]+\)$/i.test(color))
    throw new Error(`The color '${color}' of the brand in package.json is not a color: write it as #0a6b4f`);
  return Buffer.from(`${stylesheet}\n:root { --brand: ${color}; }\n`);
}

/**
 * Returns the folder of Swagger UI. This project brings its files to a service, because swagger-ui-dist reports
 * installations.
 */
const swaggerUi = (): string =>
  isInstalled
    ? join(PACKAGE, 'swagger-ui')
    : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const RESOURCES = 'application/json';

/**
 * Returns the catalog of the API as a set of links: its descriptions for programs and for people, its health and its
 * home.
 *
 * Source: RFC 9727 §4, §5.1 (api-catalog), RFC 9264 §4.2 (linkset), RFC 8631 (service-desc, service-doc,
 * service-meta, status).
 */
function apiCatalog(registry: readonly Resource[], basePath: string): object {
  const at = (href: string, type: string, more: object = {}) => ({
    href: `${basePath}${href}`,
    type,
    ...more,
  });
  const collections = pathsOf(registry).filter(
    ({ path, resource, methods }) =>
      path === `/${resource.name}` && methods.get('GET')?.endpoint.shape === 'list',
  );
  return {
    linkset: [
      {
        anchor: `${basePath}/`,
        'service-desc': [at(OPENAPI, RESOURCES, { title: 'OpenAPI description' })],
        'service-doc': [at(DOCUMENTATION, 'text/html', { title: 'Documentation' })],
        'service-meta': [at('/', RESOURCES, { title: 'Home' })],
        status: [at('/health', RESOURCES)],
      },
      {
        anchor: `${basePath}${API_CATALOG}`,
        item: collections.map(({ path, resource: { title } }) => at(path, RESOURCES, { title })),
      },
    ],
  };
}
