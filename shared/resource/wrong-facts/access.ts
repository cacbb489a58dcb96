import type { Resource } from '../resource.ts';

/**
 * The faults of fields that need scopes, where other parts of the service show or set the values for every caller.
 */
export function wrongAccess({ description, relations, process, events, table }: Resource): string[] {
  const { fields = {}, title } = description ?? {};
  const shown: [string | undefined, string][] = [
    [typeof title === 'string' ? title : undefined, 'the title'],
    [process?.field, 'the process'],
    // A process has its events.
    [process ? undefined : events?.field, 'events'],
    ...Object.entries(relations).map(([name, { field }]): [string, string] => [
      field,
      `the relation '${name}'`,
    ]),
    ...(table?.partitions ?? []).map((name): [string, string] => [name, 'partitions']),
  ];
  return [
    ...shown.flatMap(([name, what]) =>
      name !== undefined && fields[name]?.readableBy !== undefined
        ? [`${what} shows '${name}' to every caller: remove readableBy of '${name}'`]
        : [],
    ),
    ...(table?.partitions ?? []).flatMap((name) =>
      fields[name]?.writableBy === undefined
        ? []
        : [`partitions names '${name}', which a path can set for every caller: remove its writableBy`],
    ),
  ];
}

/**
 * The faults of the open paths of a resource. Their callers have no scopes, so no scope protects what they show of
 * fields and of other resources.
 */
export function wrongOpenings(resource: Resource, registry: readonly Resource[]): string[] {
  const { name, description, relations, routes } = resource;
  const path = routes.find(({ access }) => access === 'open')?.path;
  if (path === undefined) return [];
  const lists = registry.filter((one) =>
    Object.values(one.relations).some(
      ({ to }) => to.name === name && one.routes.some((route) => route.path === `/${name}/{id}/${one.name}`),
    ),
  );
  const shown = [
    ...Object.entries(description?.fields ?? {}).flatMap(([field, { readableBy, writableBy }]) =>
      (readableBy ?? writableBy) ? [`the field '${field}'`] : [],
    ),
    ...Object.keys(relations).map((relation) => `the relation '${relation}'`),
    ...lists.map((one) => `the list '/${name}/{id}/${one.name}'`),
  ];
  return shown.map((what) => `the path '${path}' is open, and ${what} needs a scope: remove one of them`);
}
