import type { Resource } from '../shared/resource/resource.ts';
import { COMMON_SCHEMAS } from './common-schemas.ts';
import { HEADERS } from './headers.ts';
import type { OperationObject, Schema } from './model.ts';
import { operationsOf } from './operation.ts';
import { pathParameters, sharedParameters } from './parameters.ts';
import { problemResponses, problemSchemas } from './problems.ts';
import { resourceSchemas } from './schemas.ts';
import { problemStatuses } from './statuses.ts';
import { type Path, pathsOf } from './targets.ts';
import { UPLOAD_SCHEMAS } from './upload-schemas.ts';

const ABOUT = `Business entities as resources: stable URIs, standard methods, status codes and header fields.

Representations are JSON or XML, chosen by \`Accept\`. Every error is a problem document (RFC 9457) whose \`type\`
can be read at this service. Entity tags and preconditions work on every resource (RFC 9110 §13); lists are walked
by their \`next\` links. Clients must ignore members that they do not know, and bear new values of \`status\`,
\`rel\` and problem \`type\`.`;

/** An OpenAPI document. Only what this project itself reads of it is typed. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly tags: readonly Schema[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The operations of a path, and the parameters that all of them have. */
export type PathItem = Readonly<Record<string, OperationObject | readonly unknown[]>>;

/**
 * The description of the service, made from the facts of its resources: OpenAPI 3.1 with schemas in JSON Schema 2020-12.
 * `basePath` is what stands before the service's paths where it is deployed.
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
  return {
    openapi: '3.1.1',
    info: {
      title: 'resource-api',
      summary: 'A resource-oriented HTTP API',
      description: ABOUT,
      version: '0.1.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: basePath || '/',
        description: 'This very deployment, be it local or production',
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
      parameters: sharedParameters(),
      headers: HEADERS,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'Where a deployment asks for it: a token (RFC 6750, RFC8725) whose scopes name resource and access.',
        },
      },
    },
  };
}

/** Every status of a problem that any operation spells out. */
const statusesOf = (paths: readonly Path[]): number[] => {
  const targets = paths.flatMap(({ methods }) => [...methods.values()].flat());
  return [...new Set(targets.flatMap((target) => problemStatuses(target, true)))].sort((a, b) => a - b);
};
