/** What agents learn of a collection. */
export interface Described {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The paths of its lists, also of those below items of others. */
  readonly paths: readonly string[];
  /** The JSON Schema of an item. */
  readonly fields: object;
  /** The parameters of its list. */
  readonly filters: readonly string[];
  /** The actions of authors, of an item or of the whole list. `body`: the JSON Schema of what it takes. */
  readonly actions: readonly {
    readonly name: string;
    readonly of: 'item' | 'list';
    readonly body?: object;
  }[];
  readonly scopes: readonly string[];
  /** The transitions, from which states and to which one. */
  readonly states?: {
    readonly field: string;
    readonly transitions: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>;
  };
}

/** The collections, which the first request loads. */
export interface McpFacts {
  readonly described: () => Promise<readonly Described[]>;
}

/**
 * Returns what the tool `describe` answers: each collection in a sentence, or everything about one of them; undefined if
 * there is no such collection. `scopes`: those of the caller; undefined: the service requires none.
 */
export function describeFor(
  all: readonly Described[],
  name: string | undefined,
  scopes: readonly string[] | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (name === undefined)
    return { resources: all.map(({ name: one, title, about }) => ({ name: one, title, about })) };
  const found = all.find((one) => one.name === name);
  if (!found || !scopes) return found && { ...found };
  return {
    ...found,
    scopes: found.scopes.filter((one) => scopes.includes(one)),
    missingScopes: found.scopes.filter((one) => !scopes.includes(one)),
  };
}
