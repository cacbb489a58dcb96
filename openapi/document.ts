import { NAME, TITLE, VERSION } from '../service/about.ts';
import { isInstalled } from '../service/folders.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { shareComponents } from './components.ts';
import { FILES_SCHEMAS } from './content.ts';
import type { OpenApi, PathItem } from './model.ts';
import { operationsOf } from './operation.ts';
import { pathParameters } from './requests/parameters.ts';
import { PAGE_PARAMETERS } from './requests/query.ts';
import { REQUEST_HEADERS } from './requests/request-headers.ts';
import { HEADER_COMPONENTS } from './responses/headers.ts';
import { PROBLEM_RESPONSES, problemSchemas } from './responses/problems.ts';
import { COMMON_SCHEMAS } from './schemas/common-schemas.ts';
import { resourceSchemas } from './schemas/schemas.ts';
import { withNamedUnions } from './schemas/unions.ts';
import { UPLOAD_SCHEMAS } from './schemas/upload-schemas.ts';
import { pathsOf } from './targets.ts';
import { parameterName } from './texts.ts';

const ABOUT = `Business entities as resources: stable URIs, standard methods, status codes and header fields.

Representations are JSON or XML, which \`Accept\` selects. Every error is a problem document (RFC 9457). Its \`type\` is
a URI of this service that explains the problem. Every resource supports entity tags and preconditions (RFC 9110 §13).
To read a whole list, follow its \`next\` links. Clients must ignore unknown properties, and accept new values of
\`status\`, \`rel\` and problem \`type\`.

This description has what generated clients need. The service also has the following.

- Each GET has its HEAD, and each path OPTIONS with \`Allow\`, \`Accept-Patch\` and \`Accept-Post\`.
- Responses are also HTML pages, and lists CSV and JSON Lines. POST takes forms, and the pages have forms at \`/new\`,
  \`/edit\` and \`/delete\`. \`text/xml\` is \`application/xml\`. In XML, \`0\` and \`1\` are booleans too.
- Requests that run an action without a body, such as a restoration, take any content in JSON, XML or a form, also an
  empty one, and ignore it.
- Further problems: 401 and 403 if a deployment requires tokens, 406, 410, 413, 415, 416, 422, 428, 429, 500 and 503.
- Further fields of requests: \`If-Modified-Since\`, \`If-Unmodified-Since\`, \`If-Range\`, \`Accept-Datetime\`,
  \`Content-Digest\` and \`Repr-Digest\`, as their RFCs define them.
- Further fields of responses: \`Vary\`, \`Cache-Control\`, \`Preference-Applied\`, \`Server-Timing\`, \`Cache-Groups\`,
  \`Content-Encoding\`, and those of CORS and of the security of browsers.`;

/** The resource with a protocol of its own, which describes itself. */
const OF_AGENTS = 'mcp';

/**
 * Generates the OpenAPI 3.1 description of the service from the descriptions of its resources. Its schemas are JSON
 * Schema 2020-12. `basePath` is the path before the service's own paths in a deployment.
 *
 * Source: OpenAPI Specification 3.1.1.
 */
export function openApi(all: readonly Resource[], { basePath = '' } = {}): OpenApi {
  const registry = all.filter(({ name }) => name !== OF_AGENTS);
  const items = pathsOf(registry).map((path): [string, PathItem] => {
    const parameters = pathParameters(path.path, path.resource, registry);
    const operations = operationsOf(path, registry);
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
      schemas: withNamedUnions({
        ...Object.assign({}, ...registry.map(resourceSchemas)),
        ...COMMON_SCHEMAS,
        ...FILES_SCHEMAS,
        ...UPLOAD_SCHEMAS,
        ...problemSchemas(basePath),
      }),
      responses: PROBLEM_RESPONSES,
      parameters: Object.fromEntries(
        Object.values({ ...PAGE_PARAMETERS, ...REQUEST_HEADERS }).map((one) => [
          parameterName(one.name),
          one,
        ]),
      ),
      headers: HEADER_COMPONENTS,
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
