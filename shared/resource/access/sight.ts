import type { Request } from '../../http/request.ts';
import type { Description, Field, Fields } from '../description/description.ts';
import { text } from '../description/fields.ts';
import { describe } from '../description/plan.ts';
import { MANAGER_SCOPE } from './access.ts';

/** The scope of callers who see the authors of items: `createdBy` and `updatedBy`. */
export const AUDIT_SCOPE = 'audit:read';

/**
 * True if a caller has a scope. Callers of an open service have all but those of operators: it knows no authors, and all
 * callers are one owner. Managers see authors.
 */
export const hasScope = ({ principal }: Reader, scope: string): boolean =>
  principal
    ? principal.scopes.includes(scope) || (principal.isManager === true && scope === AUDIT_SCOPE)
    : scope !== AUDIT_SCOPE && scope !== MANAGER_SCOPE;

/** Who reads items: the caller of a request; undefined: every caller of an open service. */
export type Reader = Pick<Request, 'principal'>;

const AUTHOR = { server: true, maximum: 255, help: 'The subject of a token.', readableBy: AUDIT_SCOPE };

/** The authors of an item, as fields. Source: Specification 11.15. */
export const AUTHORS = {
  createdBy: text('Created by', AUTHOR),
  updatedBy: text('Last changed by', AUTHOR),
} as const satisfies Fields;

/** What a reader sees of the items of one description. Readers with the same scopes have one sight. */
export interface Sight {
  /** The description without the fields that the reader does not see. */
  readonly description: Description;
  /** The scopes with which the reader sees more than other callers do, in a fixed order. */
  readonly scopes: readonly string[];
  /** True if the reader sees the authors of items. */
  readonly authors: boolean;
  /** True if the reader cannot see or set some field. `field-limits.ts` says which. */
  readonly isLimited: boolean;
}

/** The scopes that a description names, and the sights of its readers by the scopes that they have of these. */
interface Sights {
  readonly forReading: readonly string[];
  readonly all: readonly string[];
  readonly known: Map<string, Sight>;
}

const sights = new WeakMap<Description, Sights>();

function sightsOf(description: Description): Sights {
  const fields = Object.values(description.fields);
  const forReading = [...new Set([...fields.flatMap(({ readableBy }) => readableBy ?? []), AUDIT_SCOPE])];
  const forWriting = fields.flatMap(({ writableBy }) => writableBy ?? []);
  return { forReading, all: [...new Set([...forReading, ...forWriting])], known: new Map() };
}

/** The sight of a reader. Without a reader: what every caller sees. Source: Specification 11.15; decision 57. */
export function sightOf(description: Description, reader: Reader | undefined): Sight {
  const of = sights.get(description) ?? sightsOf(description);
  sights.set(description, of);
  const held = reader ? of.all.filter((scope) => hasScope(reader, scope)) : [];
  const key = held.join(' ');
  const sight = of.known.get(key) ?? makeSight(description, of.forReading, held);
  of.known.set(key, sight);
  return sight;
}

function makeSight(description: Description, forReading: readonly string[], held: readonly string[]): Sight {
  const all = Object.entries(description.fields);
  const needs = (scope: string | undefined) => scope !== undefined && !held.includes(scope);
  const seen = all.filter(([, { readableBy }]) => !needs(readableBy));
  const sees = seen.length === all.length;
  const fields: Fields = Object.fromEntries(seen);
  return {
    description: sees ? description : describe({ ...description, fields }),
    scopes: forReading.filter((scope) => held.includes(scope)),
    authors: held.includes(AUDIT_SCOPE),
    isLimited: !sees || all.some(([, { writableBy }]: [string, Field]) => needs(writableBy)),
  };
}
