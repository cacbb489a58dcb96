import { MANAGER_SCOPE } from '../shared/resource/access/access.ts';
import { scopesNeeded } from '../shared/resource/access/scopes.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { allow } from '../shared/resource/route.ts';
import { requestBody } from './content.ts';
import type { OperationObject, Responses } from './model.ts';
import { operationParameters } from './requests/parameters.ts';
import { ANNOUNCEMENTS, headerRefs, type Names } from './responses/headers.ts';
import { OTHER_PROBLEM, problemRef } from './responses/problems.ts';
import { problemStatuses } from './responses/statuses.ts';
import { type Surroundings, successes } from './responses/successes.ts';
import type { Path, Target } from './targets.ts';
import { description, operationId, summary } from './texts.ts';

/** The input of the description of an operation. */
export interface Described extends Surroundings {
  readonly registry: readonly Resource[];
}

/** A deployment requires a token, usually with a scope, unless it has `auth=none`. A local service requires none. */
function security({ resource, route, endpoint, method }: Target): OperationObject['security'] {
  if (route.access === 'open') return [];
  const managing = endpoint.managed ? [{ bearer: [MANAGER_SCOPE] }] : [];
  return [{ bearer: scopesNeeded(resource.name, route, method, endpoint) }, ...managing, {}];
}

/** Returns every operation of a path, HEAD and OPTIONS included. */
export function operationsOf(path: Path, described: Described): Record<string, OperationObject> {
  const operations: Record<string, OperationObject> = {};
  for (const [method, target] of path.methods) {
    const operation = operationOf(path.path, target, described);
    operations[method.toLowerCase()] = operation;
    if (method === 'GET') operations.head = headOf(operation, path.path);
  }
  return { ...operations, options: optionsOf(path) };
}

function operationOf(path: string, target: Target, described: Described): OperationObject {
  const { method, resource } = target;
  const body = requestBody(target);
  return {
    operationId: operationId(method, path),
    summary: summary(target, described.registry),
    description: description(target),
    tags: [resource.title],
    security: security(target),
    parameters: operationParameters(target),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(target, described),
  };
}

function responsesOf(target: Target, described: Described): Responses {
  const statuses = problemStatuses(target, target.route.access !== 'open');
  const problems = statuses.map((status) => [status, problemRef(status)]);
  const { lifecycle, description: declared } = target.resource;
  const added = headerRefs([
    ...(lifecycle ? ANNOUNCEMENTS : []),
    ...(declared ? ([target.method === 'GET' ? 'Cache-Groups' : 'Cache-Group-Invalidation'] as const) : []),
  ]);
  const shown = Object.entries(successes(target, described)).map(([status, response]) => [
    status,
    { ...response, headers: { ...response.headers, ...added } },
  ]);
  return { ...Object.fromEntries([...shown, ...problems]), default: OTHER_PROBLEM };
}

/** HEAD is GET without content, and without ranges. Source: RFC 9110 §9.3.2, §14.2. */
function headOf(get: OperationObject, path: string): OperationObject {
  const isRange = (name: string) => /\/(?:Range|If-Range)$/.test(name);
  const responses = Object.entries(get.responses)
    .filter(([status]) => status !== '206' && status !== '416')
    .map(([status, response]) => {
      if ('$ref' in response) return [status, response];
      const { content: _content, links: _links, ...rest } = response;
      return [status, rest];
    });
  return {
    ...get,
    operationId: operationId('HEAD', path),
    summary: `${get.summary}: header fields only`,
    parameters: get.parameters.filter((one) => !('$ref' in one && isRange(one.$ref))),
    responses: Object.fromEntries(responses) as Responses,
  };
}

/** OPTIONS works on every path. Source: RFC 9110 §9.3.7. */
function optionsOf({ path, resource, routes }: Path): OperationObject {
  const allowed = [...new Set(routes.flatMap((route) => allow(route).split(', ')))].join(', ');
  const contents = routes.flatMap(({ endpoints }) => Object.entries(endpoints));
  const headers: Names = [
    'Allow',
    'Access-Control-Allow-Headers',
    'Access-Control-Allow-Methods',
    'Access-Control-Max-Age',
    ...(contents.some(([, { content }]) => content === 'patch') ? (['Accept-Patch'] as const) : []),
    ...(contents.some(([method, { content, form }]) => method === 'POST' && (content !== 'none' || form))
      ? (['Accept-Post'] as const)
      : []),
  ];
  return {
    operationId: operationId('OPTIONS', path),
    summary: `Methods: ${allowed}`,
    description: 'The methods of this resource, and the permissions of scripts of other origins.',
    tags: [resource.title],
    security: [],
    parameters: [],
    responses: {
      204: { description: allowed, headers: headerRefs(headers) },
      400: problemRef(400),
      429: problemRef(429),
      500: problemRef(500),
      default: OTHER_PROBLEM,
    },
  };
}
