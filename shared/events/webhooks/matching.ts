/** The events that a subscription selects. `resource`: the name of a collection. Source: Specification 18.2. */
export interface Selection {
  readonly types: readonly string[];
  readonly resource?: string | undefined;
}

/** The items of a collection as a source of events. `scope`: the one that a caller needs to see all of them. */
export interface EventSource {
  readonly collection: string;
  /** The patterns of types that can select its events: `order.*`, then the type of each event. `*` selects all. */
  readonly types: readonly string[];
  /** True if its events can have other types, too, because its state has no choices. */
  readonly isOpen?: true;
  readonly scope?: string;
}

/** The form of a pattern of types: `order.paid`, `order.*` or `*`. */
export const TYPE_PATTERN = '\\*|[A-Za-z][A-Za-z0-9_-]*\\.(?:\\*|[a-z0-9_-]+)';

/** True if a subscription, or a list of changes, selects the events of this type of items of this collection. */
export const selects = ({ types, resource }: Selection, type: string, collection?: string): boolean =>
  (resource === undefined || resource === collection) &&
  types.some(
    (one) => one === '*' || one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))),
  );

/** For each pattern, the sources whose events it can select. */
export const sourcesOf = (
  { types, resource }: Selection,
  sources: readonly EventSource[],
): readonly (readonly EventSource[])[] =>
  types.map((one) =>
    sources.filter(
      ({ collection, types: known, isOpen }) =>
        (resource === undefined || resource === collection) &&
        (one === '*' || known.includes(one) || (isOpen && one.split('.')[0] === known[0]?.split('.')[0])),
    ),
  );
