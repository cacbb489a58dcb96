import type { Probe } from '../../functions/pre-traffic/check.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** Finds one harmless GET for each resource. New code must answer it before it gets requests. */
export const probesOf = (registry: readonly Resource[]): Readonly<Record<string, Probe>> =>
  Object.fromEntries(registry.map((one) => [one.name, probeOf(one)]));

/** Returns a list with one item, or a document with the examples of the parameters that it needs. */
function probeOf({ name, routes, parameters }: Resource): Probe {
  for (const { path, endpoints } of routes) {
    if (endpoints.GET === undefined || path.includes('{')) continue;
    const { shape, parameters: named = [] } = endpoints.GET;
    const needed = named.filter((one) => !parameters[one]?.seldom);
    const examples = needed.map((one) => [one, String(parameters[one]?.example)]);
    return { path, query: shape === 'list' ? { limit: '1' } : Object.fromEntries(examples) };
  }
  const open = routes.find(({ path }) => !path.includes('{'));
  if (open) return { path: open.path, query: {}, method: 'OPTIONS' };
  throw new Error(`The resource ${name} has no path without parameters: the pre-traffic check needs one`);
}
