import { MANAGER_SCOPE } from '../shared/resource/access/access.ts';
import { scopesNeeded } from '../shared/resource/access/scopes.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { requestBody } from './content.ts';
import type { OperationObject, Responses } from './model.ts';
import { operationParameters } from './requests/parameters.ts';
import { ANNOUNCEMENTS, headerRefs } from './responses/headers.ts';
import { problemsOf } from './responses/problems.ts';
import { problemStatuses } from './responses/statuses.ts';
import { successes } from './responses/successes.ts';
import type { Path, Target } from './targets.ts';
import { description, operationId, summary } from './texts.ts';

/** A deployment requires a token, usually with a scope, unless it has `auth=none`. A local service requires none. */
function security({ resource, route, endpoint, method }: Target): OperationObject['security'] {
  if (route.access === 'open') return [];
  const managing = endpoint.managed ? [{ bearer: [MANAGER_SCOPE] }] : [];
  return [{ bearer: scopesNeeded(resource.name, route, method, endpoint) }, ...managing, {}];
}

/** Returns the operations of a path. The text of the description says that each GET has a HEAD, and each path OPTIONS. */
export const operationsOf = (
  { path, methods }: Path,
  registry: readonly Resource[],
): Record<string, OperationObject> =>
  Object.fromEntries(
    [...methods].map(([method, target]) => [method.toLowerCase(), operationOf(path, target, registry)]),
  );

function operationOf(path: string, target: Target, registry: readonly Resource[]): OperationObject {
  const { method, resource } = target;
  const body = requestBody(target);
  return {
    operationId: operationId(method, path),
    summary: summary(target, registry),
    description: description(target),
    tags: [resource.title],
    security: security(target),
    parameters: operationParameters(target),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(target),
  };
}

function responsesOf(target: Target): Responses {
  const added = target.resource.lifecycle ? headerRefs(ANNOUNCEMENTS) : {};
  const shown = Object.entries(successes(target)).map(([status, { headers, ...response }]) => {
    const fields = { ...headers, ...added };
    return [status, { ...response, ...(Object.keys(fields).length > 0 && { headers: fields }) }];
  });
  const statuses = problemStatuses(target, target.route.access !== 'open');
  return { ...Object.fromEntries(shown), ...problemsOf(statuses) };
}
