import { SCHEMAS } from '../../shared/resource/link.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { OpenApi, Schema } from '../model.ts';
import { schemaNames } from './schemas.ts';

const REFERENCE = '#/components/schemas/';

/**
 * Returns the self-contained schemas that `describedby` links: items by their singular names, lists by their plural
 * names, and problems.
 *
 * Source: JSON Schema 2020-12 §8.1.1, §8.2.1, §8.2.4.
 */
export function jsonSchemas(
  registry: readonly Resource[],
  { components }: OpenApi,
  basePath: string,
): ReadonlyMap<string, Schema> {
  const all = components.schemas as Readonly<Record<string, Schema>>;
  const published = new Map([['problem', 'Problem']]);
  for (const resource of registry) {
    if (!resource.description) continue;
    const { item, list } = schemaNames(resource);
    published.set(resource.description.singular, item).set(resource.name, list);
  }
  const shown = [...published].filter(([, component]) => component in all);
  const schemas = shown.map(([name, component]): [string, Schema] => {
    const $defs = Object.fromEntries(
      [...needed(all, component)].filter((one) => one !== component).map((one) => [one, local(all[one])]),
    );
    const head = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${basePath}${SCHEMAS}${name}`,
    };
    const more = Object.keys($defs).length > 0 ? { $defs } : {};
    return [name, { ...head, ...(local(all[component]) as Schema), ...more }];
  });
  return new Map(schemas);
}

/** Returns a component and all components that it refers to. */
function needed(all: Readonly<Record<string, Schema>>, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other = ''] of JSON.stringify(all[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    needed(all, other, found);
  return found;
}

const local = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll(REFERENCE, '#/$defs/'));
