import type { Fault } from '../../shared/http/problem.ts';
import { formatPointer } from '../../shared/json/pointer.ts';
import { isXmlName } from '../../shared/json/text.ts';
import type { JsonObject } from '../../shared/json/value.ts';
import {
  attributeOf,
  earlierFormOf,
  hasOtherForms,
  laterFormOf,
} from '../../shared/resource/description/attribute.ts';
import {
  type Description,
  type Field,
  type Fields,
  SERVER_FIELDS,
} from '../../shared/resource/description/description.ts';
import type { TextField } from '../../shared/resource/description/field-types.ts';
import { referenceOf } from '../../shared/resource/description/references.ts';
import { withDefaults } from '../../shared/resource/description/values.ts';

/** Names of query parameters. No filter can have one of these, and no field, because each field is a filter. */
export const PARAMETERS: ReadonlySet<string> = new Set([
  'sort',
  'order',
  'limit',
  'offset',
  'after',
  'fields',
  'expand',
]);

/** The faults of values by a validator. */
export type FaultsOf = (values: JsonObject) => readonly Fault[];

/** Returns the sentences of a list that has `false` or undefined in place of what is right. */
export const sentences = (all: readonly (string | false | undefined)[]): string[] =>
  all.filter((one) => typeof one === 'string');

/**
 * Returns the faults of a description, one sentence each; empty if it is right. The sentences begin with the fact.
 * `faultsOf` judges the declared defaults; without it, nothing does.
 */
export function wrongFields(description: Description, faultsOf?: FaultsOf): string[] {
  const { singular, fields } = description;
  const wrong = sentences([
    !isXmlName(singular) &&
      `the singular '${singular}' is not an XML name: use letters, digits, '-' and '_', and begin with a letter`,
    ...wrongNames(description),
    ...sharedAttributes(fields),
    ...wrongVersions(description),
    ...Object.entries(fields).flatMap(([name, field]) => wrongField(name, field)),
    ...description.required
      .filter((name) => fields[name]?.server)
      .map((name) => `the service sets '${name}', so it cannot be required: remove required`),
  ]);
  return wrong.length > 0 || !faultsOf ? wrong : wrongDefaults(description, faultsOf);
}

function wrongNames({ fields, identifier }: Description): string[] {
  const reserved = new Set(['id', identifier.name, ...SERVER_FIELDS]);
  return Object.keys(fields).flatMap((name) => {
    if (reserved.has(name))
      return [`the field '${name}' has the name of a property of every item: rename it`];
    if (PARAMETERS.has(name))
      return [`the field '${name}' has the name of a parameter of every list: rename it`];
    if (name in Object.prototype)
      return [`the field '${name}' has the name of a property of every JavaScript object: rename it`];
    if (name.startsWith('_'))
      return [`the field '${name}' begins like an attribute of the service: rename it`];
    return wrongName(name);
  });
}

const wrongName = (name: string): string[] =>
  isXmlName(name) && !name.includes('.')
    ? []
    : [`the field '${name}' has no valid name: use letters, digits, '-' and '_', and begin with a letter`];

/** Forms of other versions that the items of this one would have. */
const wrongVersions = ({ fields, version }: Description): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const { before = version } = earlierFormOf(field) ?? {};
    const { from = version + 1 } = laterFormOf(field) ?? {};
    return sentences([
      before > version && `'${name}' has an earlier form before version ${before}: increase version to it`,
      from <= version && `'${name}' has a later form from version ${from}: use a version above ${version}`,
    ]);
  });

function sharedAttributes(fields: Fields): string[] {
  const names = new Map<string, string>();
  return Object.keys(fields).flatMap((name) => {
    const attribute = attributeOf({ fields }, name);
    const other = names.get(attribute);
    names.set(attribute, name);
    return other === undefined
      ? []
      : [`'${other}' and '${name}' have the attribute ${attribute}: change the fact was of one of them`];
  });
}

function wrongField(name: string, field: Field): string[] {
  const wrong = wrongLimits(name, field);
  if (hasOtherForms(field) && (field.server || field.keptByPut))
    wrong.push(`a write can keep '${name}' in the form of another version: declare a new property instead`);
  if (field.kind === 'text') wrong.push(...wrongText(name, field));
  wrong.push(...wrongScopes(name, field));
  if (field.kind === 'decimal' && field.currency !== undefined && !/^[A-Z]{3}$/.test(field.currency))
    wrong.push(
      `the currency '${field.currency}' of '${name}' is not a code of ISO 4217: use one such as EUR`,
    );
  if (field.kind === 'structure') wrong.push(...Object.keys(field.fields).flatMap(wrongName));
  return [...wrong, ...innerFields(name, field).flatMap(([inner, one]) => wrongInner(inner, one))];
}

/** A scope as tokens carry it. RFC 6749 §3.3 allows more, and the scopes of resources have this form. */
export const SCOPE = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/;

function wrongScopes(name: string, { readableBy, writableBy, server }: Field): string[] {
  const scopes = Object.entries({ readableBy, writableBy });
  const wrong = scopes.flatMap(([fact, scope]) =>
    scope === undefined || SCOPE.test(scope)
      ? []
      : [`${fact} of '${name}' is '${scope}', which is not a scope: use two words such as salaries:read`],
  );
  if (server && writableBy !== undefined)
    wrong.push(`the service alone sets '${name}', so no scope allows it: remove writableBy`);
  return wrong;
}

/** Returns the fields inside a field, each with its name in the sentences, such as `address.city`. */
function innerFields(name: string, field: Field): [string, Field][] {
  if (field.kind === 'array') return [[`${name}.of`, field.of]];
  if (field.kind !== 'structure') return [];
  return Object.entries(field.fields).map(([inner, one]) => [`${name}.${inner}`, one]);
}

/** Facts that have an effect for the stored properties of an item only. */
const OF_STORED = [
  'immutable',
  'lockedIn',
  'computed',
  'unique',
  'was',
  'earlier',
  'later',
  'keptByPut',
  'readableBy',
  'writableBy',
] as const;

/** Returns the facts without an effect of a field that no item stores, as sentences. */
export const wrongUnstored = (name: string, field: Field, ...others: readonly string[]): string[] =>
  [...others, ...OF_STORED]
    .filter((fact) => fact in field)
    .map((fact) => `'${name}' has the fact ${fact}, which has no effect there: remove it`);

/** Returns the same of the fields of a view, and of those inside them. */
export const wrongViewed = (name: string, field: Field): string[] => [
  ...wrongUnstored(name, field),
  ...innerFields(name, field).flatMap((inner) => wrongViewed(...inner)),
];

function wrongInner(name: string, field: Field): string[] {
  if (field.kind === 'binary')
    return [`'${name}' has bytes, which only a property of the item itself can have: move it`];
  if (referenceOf(field))
    return [`'${name}' is a reference, which only a property of the item itself can be: use integer`];
  const facts = ['default', ...OF_STORED].filter((fact) => fact in field);
  return [
    ...facts.map((fact) => `'${name}' has the fact ${fact}, which has no effect inside a value: remove it`),
    ...wrongField(name, field),
  ];
}

/** The most decimals of a stored number. Source: Amazon DynamoDB Developer Guide, "Data types". */
const MOST_DECIMALS = 128;

function wrongLimits(name: string, field: Field): string[] {
  if (field.kind === 'decimal' && (field.decimals ?? 0) > MOST_DECIMALS)
    return [`'${name}' has ${field.decimals} decimals: use at most ${MOST_DECIMALS}`];
  if (field.kind === 'decimal' && field.minimum >= field.below)
    return [`the minimum ${field.minimum} of '${name}' is not below ${field.below}: no value can meet both`];
  if (field.kind !== 'integer' && field.kind !== 'text' && field.kind !== 'array') return [];
  const { minimum, maximum } = field;
  const least = field.kind === 'integer' ? Number.MIN_SAFE_INTEGER : 0;
  const wrong = Object.entries({ minimum, maximum }).flatMap(([fact, value = 0]) =>
    Number.isSafeInteger(value) && value >= least
      ? []
      : [`the ${fact} of '${name}' is ${value}: use a whole number${least === 0 ? ', at least 0' : ''}`],
  );
  if (wrong.length > 0) return wrong;
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    return [`the minimum ${minimum} of '${name}' is above its maximum ${maximum}: no value can meet both`];
  return [];
}

function wrongText(name: string, { pattern, choices, retired = [] }: TextField): string[] {
  const wrong: string[] = [];
  if (pattern !== undefined && !isPattern(pattern))
    wrong.push(`the pattern ${pattern} of '${name}' is not a regular expression in Unicode mode: correct it`);
  if (choices?.length === 0) wrong.push(`the choices of '${name}' are empty: no value can be one of them`);
  if (choices && new Set(choices).size < choices.length)
    wrong.push(`the choices of '${name}' contain a value twice: remove one`);
  if (!choices && retired.length > 0)
    wrong.push(`'${name}' has retired values and no choices: any text is valid, so remove retired`);
  for (const value of retired.filter((one) => choices?.includes(one)))
    wrong.push(`'${value}' of '${name}' is both a choice and retired: remove one`);
  return wrong;
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Defaults that the schema of their own field refuses. */
function wrongDefaults(description: Description, faultsOf: FaultsOf): string[] {
  const values = withDefaults(description, {});
  // A validator compiles at its first use, which takes a tenth of the time of a start.
  if (Object.keys(values).length === 0) return [];
  return faultsOf(values).flatMap(({ pointer, detail }) => {
    const name = Object.keys(values).find((one) => formatPointer([one]) === pointer);
    return name === undefined
      ? []
      : [`the default ${JSON.stringify(values[name])} of '${name}' ${detail}: choose a valid one`];
  });
}
