/** The events that a subscription selects. `resource`: the name of a collection. Source: Specification 18.2. */
export interface Selection {
  readonly types: readonly string[];
  readonly resource?: string | undefined;
}

/** The items of a collection as a source of events. `scope`: the one that a caller needs to see all of them. */
export interface EventSource {
  readonly collection: string;
  readonly scope?: string;
}

/** The form of a pattern of types: `order.paid`, `order.*` or `*`. */
export const TYPE_PATTERN = '\\*|[A-Za-z][A-Za-z0-9_-]*\\.(?:\\*|[a-z0-9_-]+)';

/** True if a subscription selects the events of this type of items of this collection. */
export const selects = ({ types, resource }: Selection, type: string, collection: string): boolean =>
  (resource === undefined || resource === collection) &&
  types.some(
    (one) => one === '*' || one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))),
  );

/** For each pattern, the sources whose events it can select. `sources`: all of them, by the word for an item. */
export const sourcesOf = (
  { types, resource }: Selection,
  sources: Readonly<Record<string, EventSource>>,
): readonly EventSource[][] =>
  types.map((one) =>
    Object.entries(sources).flatMap(([kind, source]) =>
      (one === '*' || one.startsWith(`${kind}.`)) &&
      (resource === undefined || resource === source.collection)
        ? [source]
        : [],
    ),
  );
