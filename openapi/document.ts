import { NAME, TITLE, VERSION } from '../service/about.ts';
import { isInstalled } from '../service/folders.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { shareComponents } from './components.ts';
import type { OpenApi, PathItem } from './model.ts';
import { operationsOf } from './operation.ts';
import { pathParameters } from './requests/parameters.ts';
import { PAGE_PARAMETERS } from './requests/query.ts';
import { REQUEST_HEADERS } from './requests/request-headers.ts';
import { describedFields } from './responses/headers.ts';
import { problemResponses, problemSchemas } from './responses/problems.ts';
import { problemStatuses } from './responses/statuses.ts';
import { COMMON_SCHEMAS } from './schemas/common-schemas.ts';
import { resourceSchemas } from './schemas/schemas.ts';
import { UPLOAD_SCHEMAS } from './schemas/upload-schemas.ts';
import { type Path, pathsOf } from './targets.ts';

const ABOUT = `Business entities as resources: stable URIs, standard methods, status codes and header fields.

Representations are JSON or XML, which \`Accept\` selects. Every error is a problem document (RFC 9457). Its \`type\` is
a URI of this service that explains the problem. Every resource supports entity tags and preconditions (RFC 9110 §13).
To read a whole list, follow its \`next\` links. Clients must ignore unknown properties, and accept new values of
\`status\`, \`rel\` and problem \`type\`.`;

/**
 * Generates the OpenAPI 3.1 description of the service from the descriptions of its resources. Its schemas are JSON
 * Schema 2020-12. `basePath` is the path before the service's own paths in a deployment.
 *
 * Source: OpenAPI Specification 3.1.1.
 */
export function openApi(registry: readonly Resource[], { basePath = '' } = {}): OpenApi {
  const paths = pathsOf(registry);
  const described = { registry, paths, basePath };
  const items = paths.map((path): [string, PathItem] => {
    const parameters = pathParameters(path.path, path.resource, registry);
    const operations = operationsOf(path, described);
    return [path.path, parameters.length > 0 ? { parameters, ...operations } : operations];
  });
  return shareComponents({
    openapi: '3.1.1',
    info: {
      title: NAME,
      summary: TITLE,
      description: ABOUT,
      version: VERSION,
      ...(isInstalled ? {} : { license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } }),
    },
    servers: [
      {
        url: basePath || '/',
        description: 'The deployment that serves this document, local or production',
        'x-internal': false,
      },
    ],
    tags: registry.map(({ title, about }) => ({ name: title, description: about })),
    paths: Object.fromEntries(items),
    components: {
      schemas: {
        ...Object.assign({}, ...registry.map(resourceSchemas)),
        ...COMMON_SCHEMAS,
        ...UPLOAD_SCHEMAS,
        ...problemSchemas(basePath),
      },
      responses: problemResponses(statusesOf(paths), basePath),
      parameters: { ...PAGE_PARAMETERS, ...REQUEST_HEADERS },
      headers: describedFields(registry),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          // A rule of OWASP looks for the spelling RFC8725.
          description:
            'A token (RFC 6750, RFC8725), if the deployment requires one. Its scopes name a resource and an access.',
        },
      },
    },
  });
}

/** Returns every problem status that any operation lists. */
const statusesOf = (paths: readonly Path[]): number[] => {
  const targets = paths.flatMap(({ methods }) => [...methods.values()]);
  return [...new Set(targets.flatMap((target) => problemStatuses(target, true)))].sort((a, b) => a - b);
};
