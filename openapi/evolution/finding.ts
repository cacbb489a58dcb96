import type { Json } from './json.ts';

/** A part of a request or of a response. `type`: the media type of its content. */
export type Part =
  | { readonly kind: 'parameter'; readonly in: unknown; readonly name: unknown }
  | { readonly kind: 'body'; readonly type?: string | undefined }
  | { readonly kind: 'response'; readonly status: string; readonly type?: string | undefined };

/** Where two descriptions differ. */
export interface Place {
  /** The path template, such as `/widgets/{id}`. */
  readonly path: string;
  /** The method in capitals; absent: the path itself. */
  readonly method?: string;
  /** Absent: the request as a whole. */
  readonly part?: Part;
  /** The levels from the schema of the part to the value. */
  readonly within?: readonly Level[];
}

/** A property by its name, the elements of an array, or the properties that a schema does not name. */
export type Level = { readonly property: string } | 'items' | 'other members';

/** What a client of the released description no longer can do, or no longer can depend on. */
export type Difference =
  | { readonly kind: 'pathGone' | 'methodGone' | 'bodyGone' | 'parameterGone' | 'responseGone' }
  | { readonly kind: 'contentGone'; readonly type: string }
  | { readonly kind: 'headerGone' | 'memberGone'; readonly name: string }
  | { readonly kind: 'operationId'; readonly was: unknown }
  /** `held`: the requirement that does not suffice any more; absent: the request needed no credentials. */
  | { readonly kind: 'credentials'; readonly held?: Json }
  /** A request must contain the part, or the property of this name. */
  | { readonly kind: 'partNeeded' }
  | { readonly kind: 'memberNeeded'; readonly name: string }
  /** A response may lack the property. */
  | { readonly kind: 'memberUncertain'; readonly name: string }
  | { readonly kind: 'schemaGone' }
  | { readonly kind: 'type'; readonly was: readonly unknown[]; readonly is: readonly unknown[] }
  | { readonly kind: 'bound'; readonly keyword: string; readonly was: unknown; readonly is: unknown }
  | { readonly kind: 'choiceGone'; readonly choice: unknown }
  | { readonly kind: 'choices' | 'closed' }
  | { readonly kind: 'keyword'; readonly keyword: string };

/** A difference that breaks a client, and its place. */
export type Finding = Place & Difference;

/** Returns a finding in an item, whatever the format of the content is, and whether the content is one item or a list. */
export function inItem({ part, within = [], ...finding }: Finding): Finding {
  const [list, elements] = within;
  const names = ['items', finding.path.split('/').at(-1)];
  const isWrapped = typeof list === 'object' && names.includes(list.property) && elements === 'items';
  const around = isWrapped ? 2 : list === 'items' ? 1 : 0;
  const formless = part && (part.kind === 'parameter' ? part : { ...part, type: undefined });
  return { ...finding, ...(formless && { part: formless }), within: within.slice(around) };
}
