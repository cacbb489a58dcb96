import type { Resource } from '../../shared/resource/resource.ts';

/** Returns the faults of paths below the items of another resource, which show a field of theirs. */
export const wrongBelow = ({ routes }: Resource, registry: readonly Resource[]): string[] =>
  routes.flatMap(({ path, endpoints: { GET } }) => {
    const { resource, field } = GET?.below ?? {};
    const other = registry.find(({ name }) => name === resource);
    if (!other || field === undefined) return [];
    const stated = other.description?.fields[field];
    if (!stated) return [`'${path}' shows '${field}' of ${resource}, which has no such field: correct below`];
    if (other.owner) return [`'${path}' shows the ${resource} of all owners: remove it from below`];
    return stated.readableBy === undefined
      ? []
      : [`'${path}' shows '${field}' of ${resource} to other callers: remove its readableBy`];
  });

/**
 * Returns the faults of fields that need scopes, where other parts of the service show or set the values for every
 * caller.
 */
export function wrongAccess({ description, relations, process, table }: Resource): string[] {
  const { fields = {}, title } = description ?? {};
  const shown: [string | undefined, string][] = [
    ...(typeof title === 'function' ? [] : [title].flat()).map((name): [string | undefined, string] => [
      name,
      'the title',
    ]),
    [process?.field, 'the process'],
    ...Object.entries(relations).map(([name, { field }]): [string, string] => [
      field,
      `the relation '${name}'`,
    ]),
    ...(table?.partitions ?? []).map((name): [string, string] => [name, 'a list of its own']),
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
        : [`a path can set '${name}' for every caller, and its removal can clear it: remove its writableBy`],
    ),
  ];
}
