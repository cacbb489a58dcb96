import { API_CATALOG, DOCUMENTATION, OPENAPI } from '../../shared/resource/link.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { pathsOf } from '../targets.ts';

const RESOURCES = 'application/json';

/**
 * The catalog of the API as a set of links: its descriptions for programs and for people, its health and its home.
 *
 * Source: RFC 9727 §4, §5.1 (api-catalog), RFC 9264 §4.2 (linkset), RFC 8631 (service-desc, service-doc,
 * service-meta, status).
 */
export function apiCatalog(registry: readonly Resource[], basePath: string): object {
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
