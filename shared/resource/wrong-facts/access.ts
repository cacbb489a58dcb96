import type { Resource } from '../resource.ts';

/**
 * What is wrong with fields that need scopes, where other parts of the service show or set the values for every caller.
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
