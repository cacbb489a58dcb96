import { isDeepStrictEqual } from 'node:util';
import type { Difference, Finding, Level, Place } from './finding.ts';
import { forms, LOWER, listOf, UPPER } from './forms.ts';
import { isJson, type Json, members, type Resolve, texts } from './json.ts';

/** A released schema, the current one, and the resolvers of references in both documents. */
interface Pair {
  readonly was: unknown;
  readonly is: unknown;
  readonly before: Resolve;
  readonly after: Resolve;
}

/** Keywords that can allow less, in ways that the comparison does not understand: a request may not get another value. */
const OPAQUE = [
  'contains',
  'contentEncoding',
  'contentMediaType',
  'dependentRequired',
  'dependentSchemas',
  'else',
  'format',
  'if',
  'multipleOf',
  'not',
  'pattern',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
  'uniqueItems',
];

/** Formats that allow every value of their type. Source: OpenAPI Initiative, Format Registry. */
const FREE_FORMATS: ReadonlySet<unknown> = new Set(['binary', 'double']);

type Direction = 'request' | 'response';

/**
 * Returns the restrictions of a schema: values that a client can no longer send (`request`), or guarantees that a
 * response no longer has (`response`). Each released form of a request needs a current one, and each current form of a
 * response a released one. `seen` ends the recursion for schemas that contain themselves.
 *
 * Source: JSON Schema Validation 2020-12 §6.
 */
export function schemaBreaks(
  direction: Direction,
  pair: Pair,
  place: Place,
  seen: readonly unknown[] = [],
): Finding[] {
  const key = (isJson(pair.was) ? pair.was.$ref : undefined) ?? pair.was;
  const [was, is] = [forms(pair.was, pair.before), forms(pair.is, pair.after)];
  if (was.length === 0 || seen.includes(key)) return [];
  // A schema without a type promises nothing that a client can use.
  const promises = direction === 'response' && was.some(({ type, enum: choices }) => type ?? choices);
  if (is.length === 0) return promises ? [{ ...place, kind: 'schemaGone' }] : [];
  const differences = (old: Json, now: Json) =>
    formBreaks(direction, { ...pair, was: old, is: now }, place, [...seen, key]);
  const [needing, offered] = direction === 'request' ? [was, is] : [is, was];
  return needing.flatMap((one) =>
    closest(offered, place, (other) =>
      direction === 'request' ? differences(one, other) : differences(other, one),
    ),
  );
}

/**
 * Returns the differences from the closest form. A form with another type or other properties is a form of something
 * else, so these differences count before the number of all differences.
 */
function closest(
  offered: readonly Json[],
  place: Place,
  differences: (one: Json) => Finding[],
): readonly Finding[] {
  const shape = (found: readonly Finding[]) =>
    found.filter(({ kind, within }) => SHAPE.has(kind) && within?.length === place.within?.length).length;
  let best: readonly Finding[] | undefined;
  for (const one of offered) {
    const found = differences(one);
    if (found.length === 0) return found;
    const order = best ? shape(found) - shape(best) || found.length - best.length : -1;
    if (order < 0) best = found;
  }
  return best ?? [];
}

const SHAPE: ReadonlySet<Finding['kind']> = new Set(['type', 'memberGone']);

function formBreaks(
  direction: Direction,
  { was, is, before, after }: Pair & { readonly was: Json; readonly is: Json },
  place: Place,
  seen: readonly unknown[],
): Finding[] {
  const within = (one: unknown, other: unknown, level: Level) =>
    schemaBreaks(
      direction,
      { was: one, is: other, before, after },
      { ...place, within: [...(place.within ?? []), level] },
      seen,
    );
  // Without the keyword, a request can have any values in an array or object.
  const nested = (type: string, keyword: string, level: Level) => {
    const isFree = was[keyword] === undefined || was[keyword] === true;
    if (isFree && (direction === 'response' || (was.type !== undefined && !listOf(was.type).includes(type))))
      return [];
    return within(isFree ? {} : was[keyword], is[keyword], level);
  };
  const own = [
    ...typeBreaks(direction, was, is),
    ...(direction === 'request' ? narrowed(was, is) : []),
    ...memberBreaks(direction, was, is),
  ];
  return [
    ...own.map((one): Finding => ({ ...place, ...one })),
    ...properties(was, before).flatMap(([name, schema]) => {
      const now = properties(is, after).find(([other]) => other === name);
      return now ? within(schema, now[1], { property: name }) : [];
    }),
    ...nested('array', 'items', 'items'),
    ...nested('object', 'additionalProperties', 'other members'),
  ];
}

const properties = (schema: Json, resolve: Resolve) => members(resolve(schema.properties));

function typeBreaks(direction: Direction, was: Json, is: Json): Difference[] {
  const [types, now] = [listOf(was.type), listOf(is.type)];
  const [wider, narrower] = direction === 'request' ? [now, types] : [types, now];
  if (wider.length === 0) return [];
  // Without `type`, a schema allows any type.
  const lost =
    narrower.length === 0
      ? ['any']
      : narrower.filter((type) => !wider.includes(type) && !(type === 'integer' && wider.includes('number')));
  return lost.length === 0 ? [] : [{ kind: 'type', was: types, is: now }];
}

/** True if the current text schema accepts every text that the released one listed. */
function acceptsChoices(was: Json, is: Json): boolean {
  if (was.enum === undefined || is.enum !== undefined) return false;
  const pattern = new RegExp(String(is.pattern ?? ''), 'u');
  const [minLength, maxLength] = [
    Number(is.minLength ?? 0),
    Number(is.maxLength ?? Number.POSITIVE_INFINITY),
  ];
  return listOf(was.enum).every(
    (one) =>
      typeof one === 'string' && one.length >= minLength && one.length <= maxLength && pattern.test(one),
  );
}

/** Returns narrower bounds, patterns and choices of a request schema. */
function narrowed(was: Json, is: Json): Difference[] {
  if (acceptsChoices(was, is)) return [];
  const bound = (keyword: string, lower: boolean): Difference[] => {
    const [old, current] = [was[keyword], is[keyword]];
    if (current === undefined) return [];
    const isWider = lower ? Number(current) <= Number(old) : Number(current) >= Number(old);
    if (old !== undefined && isWider) return [];
    return [{ kind: 'bound', keyword, was: old, is: current }];
  };
  const choices = listOf(was.enum).filter((one) => is.enum !== undefined && !listOf(is.enum).includes(one));
  return [
    ...UPPER.flatMap((keyword) => bound(keyword, false)),
    ...LOWER.flatMap((keyword) => bound(keyword, true)),
    ...choices.map((choice): Difference => ({ kind: 'choiceGone', choice })),
    ...(was.enum === undefined && is.enum !== undefined ? [{ kind: 'choices' as const }] : []),
    ...OPAQUE.filter(
      (keyword) =>
        is[keyword] !== undefined &&
        !isDeepStrictEqual(is[keyword], was[keyword]) &&
        !FREE_FORMATS.has(is[keyword]),
    ).map((keyword): Difference => ({ kind: 'keyword', keyword })),
    ...(is.additionalProperties === false && was.additionalProperties !== false
      ? [{ kind: 'closed' as const }]
      : []),
  ];
}

/** Properties that a response lacks only if the client selects others by `fields`. Source: Specification 4.17. */
const SELECTED: ReadonlySet<string> = new Set(['links']);

/**
 * Returns removed properties, properties that a request now requires, and properties that a response can now lack.
 */
function memberBreaks(direction: Direction, was: Json, is: Json): Difference[] {
  const names = texts(is.properties);
  const gone = texts(was.properties).filter((name) => !names.includes(name));
  const [must, had] = [listOf(is.required).map(String), listOf(was.required).map(String)];
  const [more, less] = direction === 'request' ? [must, had] : [had, must];
  const missing = more.filter((name) => !less.includes(name) && !gone.includes(name));
  const changed = missing.filter((name) => direction === 'request' || !SELECTED.has(name));
  const kind = direction === 'request' ? 'memberNeeded' : 'memberUncertain';
  return [
    ...gone.map((name): Difference => ({ kind: 'memberGone', name })),
    ...changed.map((name): Difference => ({ kind, name })),
  ];
}
