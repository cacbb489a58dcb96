import type { Resource } from '../../shared/resource/resource.ts';
import type { Link } from '../model.ts';
import { type Path, variablesOf } from '../targets.ts';
import { operationId } from '../texts.ts';

/**
 * Returns the next steps with an item in a response: every method of its own path and of the paths below it. `at`
 * returns the location of its identifier in the response.
 *
 * Source: OpenAPI 3.1.1 §4.8.20.
 */
export function linksOf(
  resource: Resource,
  paths: readonly Path[],
  at: (identifier: string) => string,
): Record<string, Link> {
  const identifier = resource.description?.identifier.name;
  if (identifier === undefined) return {};
  const links: Record<string, Link> = {};
  for (const { path, methods } of paths) {
    const [, collection] = path.split('/');
    const [variable, ...others] = variablesOf(path);
    if (collection !== resource.name || variable === undefined || others.length > 0) continue;
    for (const method of methods.keys()) {
      const id = operationId(method, path);
      links[id] = {
        operationId: id,
        description: `${method} ${path} of this ${resource.description?.singular}`,
        parameters: { [variable]: at(identifier) },
      };
    }
  }
  return links;
}
