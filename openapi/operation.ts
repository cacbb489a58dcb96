import { scopeOf } from '../shared/resource/access/access.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { allow, type RouteMethod } from '../shared/resource/route.ts';
import { requestBody } from './content.ts';
import type { OperationObject, Response, Responses } from './model.ts';
import { operationParameters } from './requests/parameters.ts';
import { headerRefs } from './responses/headers.ts';
import { OTHER_PROBLEM, problemRef } from './responses/problems.ts';
import { problemStatuses } from './responses/statuses.ts';
import { type Surroundings, successes } from './responses/successes.ts';
import type { Path, Targets } from './targets.ts';
import { description, operationId, summary } from './texts.ts';

/** The input of the description of an operation. */
export interface Described extends Surroundings {
  readonly registry: readonly Resource[];
}

/** A deployment requires a token, usually with a scope, unless it has `auth=none`. A local service requires none. */
function security({ resource, route: { access }, method }: Targets[0]): OperationObject['security'] {
  if (access === 'open') return [];
  const scope = scopeOf(resource.name, access, method);
  return [{ bearer: scope === undefined ? [] : [scope] }, {}];
}

/** Returns every operation of a path, HEAD and OPTIONS included. */
export function operationsOf(path: Path, described: Described): Record<string, OperationObject> {
  const operations: Record<string, OperationObject> = {};
  for (const [method, targets] of path.methods) {
    const operation = operationOf(method, targets, described);
    operations[method.toLowerCase()] = operation;
    if (method === 'GET') operations.head = headOf(operation, path.path);
  }
  return { ...operations, options: optionsOf(path) };
}

function operationOf(method: RouteMethod, targets: Targets, described: Described): OperationObject {
  const [{ resource, route }] = targets;
  const body = requestBody(targets);
  return {
    operationId: operationId(method, route.path),
    summary: summary(targets, described.registry),
    description: description(targets),
    tags: [resource.title],
    security: security(targets[0]),
    parameters: operationParameters(targets),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(targets, described),
  };
}

function responsesOf(targets: Targets, described: Described): Responses {
  const all: Record<string, Response> = {};
  for (const target of targets) {
    for (const [status, response] of Object.entries(successes(target, described)))
      all[status] = all[status] ? both(all[status], response) : response;
  }
  const statuses = targets.flatMap((target) => problemStatuses(target, target.route.access !== 'open'));
  const problems = [...new Set(statuses)].map((status) => [status, problemRef(status)]);
  return { ...all, ...Object.fromEntries(problems), default: OTHER_PROBLEM };
}

/** Merges two responses with the same status. */
const both = (one: Response, other: Response): Response => ({
  ...one,
  description:
    one.description === other.description ? one.description : `${one.description} Or: ${other.description}`,
  headers: { ...one.headers, ...other.headers },
  ...(one.content || other.content ? { content: { ...one.content, ...other.content } } : {}),
});

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
  const headers = [
    'Allow',
    'Access-Control-Allow-Headers',
    'Access-Control-Allow-Methods',
    'Access-Control-Max-Age',
    ...(contents.some(([, { content }]) => content === 'patch') ? ['Accept-Patch'] : []),
    ...(contents.some(([method, { content, form }]) => method === 'POST' && (content !== 'none' || form))
      ? ['Accept-Post']
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
