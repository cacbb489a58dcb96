import type { Fault } from '../../http/problem.ts';
import { Decimal } from '../../json/decimal.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Sight } from '../../resource/access/sight.ts';
import type { Calls } from '../../resource/actions/action.ts';
import { found, type Outcome, refused } from '../../resource/actions/outcome.ts';
import type { Description, Field } from '../../resource/description/description.ts';
import { choicesOf } from '../../resource/description/field-types.ts';
import { integer } from '../../resource/description/fields.ts';
import { describe } from '../../resource/description/plan.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import type { TotalsActions } from '../../resource/styles/totals.ts';
import { readable } from '../form/attributes.ts';
import type { Partition } from '../form/table.ts';
import { Pages } from './pages.ts';

const MAXIMUM_GROUPINGS = 2;
/** The most cells, rows by columns: so many fit into a response in each format. */
const MAXIMUM_CELLS = 30_000;
const MEASURES = ['sum', 'min', 'max'] as const;
type Measure = (typeof MEASURES)[number];

/** What a client asks for: the fields whose equal values make a row, and those of each measure. */
type Asked = { readonly by: readonly string[] } & Readonly<Record<Measure, readonly string[]>>;

/** A value of an item in a row. */
type Group = string | number | boolean | undefined;

/** The members of a row beside the values of fields. */
const OWN: ReadonlySet<string> = new Set(['count', ...MEASURES]);

/**
 * Returns the totals of the items of a list that meet the filters of the request and that the caller may see. `within`:
 * the list has only items with this value.
 *
 * Source: Specification 4.29.
 *
 * @throws Unavailable if DynamoDB does not respond
 * @throws UnreadableItem if the stored form of an item is unknown
 */
async function totalsOf(
  resource: Resource,
  { caller, page, query, sight }: Calls['totals'],
  within?: Partition,
): Promise<Outcome> {
  const faults: Fault[] = [];
  const asked = askedIn(resource, query, sight, faults);
  if (faults.length > 0)
    return invalid('The query is not valid. Correct the named parameters', { errors: faults });
  const all = await new Pages(resource).all(caller, page.filters, within);
  if (!all) return invalid('Totals read at most 10000 items, and fewer if they are large. Filter for fewer');
  const groups = new Groups(asked);
  for (const item of all) groups.add(readable(resource.name, item));
  const items = groups.rows();
  const names = columnsOf(asked);
  if (items.length * names.length > MAXIMUM_CELLS)
    return invalid(
      `The totals have ${items.length} rows of ${names.length} columns, and at most ${MAXIMUM_CELLS} cells fit. Name fewer fields, or filter for fewer items`,
    );
  return found({
    kind: 'document',
    name: 'totals',
    members: { items, by: asked.by },
    rows: {
      description: rowOf(sight.description, asked),
      names,
      items: items.map(flat),
      offset: 0,
      total: items.length,
    },
    ...(within ? {} : { links: [{ rel: 'collection', href: `/${resource.name}` }] }),
  });
}

const invalid = (detail: string, more: { readonly errors?: readonly Fault[] } = {}): Outcome =>
  refused('validation-error', detail, more);

/** Returns the actions of totals. `field`: names the item above, for a list below it. */
export const totalsActions = (resource: Resource, field = ''): TotalsActions => ({
  all: (input) => totalsOf(resource, input),
  below: (input) => totalsOf(resource, input, { field, value: input.id }),
});

/** Reads the fields that the query names. Adds every fault to `faults`. */
function askedIn(
  { process }: Resource,
  query: Calls['totals']['query'],
  { description: { fields } }: Sight,
  faults: Fault[],
): Asked {
  const names = (parameter: 'by' | Measure, isAllowed: (name: string, field: Field) => boolean) => {
    const sent = [...new Set((query[parameter] ?? []).flatMap((text) => text.split(',')).filter(Boolean))];
    const allowed = Object.entries(fields).flatMap(([name, field]) =>
      isAllowed(name, field) && !field.atReading ? [name] : [],
    );
    const use = allowed.length > 0 ? `use ${allowed.join(', ')}` : 'leave it out';
    for (const name of sent)
      if (!allowed.includes(name))
        faults.push({
          parameter,
          detail: `'${name.slice(0, 64)}' is not a field that it can have: ${use}`,
        });
    if (parameter === 'by' && sent.length > MAXIMUM_GROUPINGS)
      faults.push({ parameter, detail: `must have at most ${MAXIMUM_GROUPINGS} fields` });
    return sent;
  };
  const groups = (name: string, field: Field) =>
    !OWN.has(name) &&
    (field.kind === 'boolean' ||
      field.kind === 'date' ||
      process?.field === name ||
      isReference(field) ||
      (field.kind === 'text' && choicesOf(field) !== undefined));
  const measured = (_: string, field: Field) =>
    (field.kind === 'integer' || field.kind === 'decimal') && !isReference(field);
  return {
    by: names('by', groups),
    sum: names('sum', measured),
    min: names('min', measured),
    max: names('max', measured),
  };
}

/** True if the values identify items, also of those that need not exist. */
const isReference = (field: Field): boolean => field.kind === 'integer' && field.isId === true;

/** The sums, the least and the largest values of the items of a row, by field. */
interface Row {
  readonly values: readonly Group[];
  count: number;
  readonly sum: Map<string, Decimal>;
  readonly min: Map<string, Decimal>;
  readonly max: Map<string, Decimal>;
}

/** The rows of totals. Decimals are exact. */
class Groups {
  readonly #asked: Asked;
  readonly #rows = new Map<string, Row>();

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  add({ values }: Item): void {
    const { by, sum, min, max } = this.#asked;
    const row = this.#row(by.map((name) => groupOf(values[name])));
    row.count += 1;
    for (const name of sum)
      row.sum.set(name, (row.sum.get(name) ?? Decimal.from(0)).plus(numberIn(values[name]) ?? 0));
    for (const [names, known, sign] of [
      [min, row.min, -1],
      [max, row.max, 1],
    ] as const)
      for (const name of names) {
        const [value, best] = [numberIn(values[name]), known.get(name)];
        if (value && (!best || value.compare(best) === sign)) known.set(name, value);
      }
  }

  #row(values: readonly Group[]): Row {
    const key = JSON.stringify(values.map((value) => [typeof value, value]));
    const known = this.#rows.get(key);
    if (known) return known;
    const sum = new Map(this.#asked.sum.map((name) => [name, Decimal.from(0)]));
    const made = { values, count: 0, sum, min: new Map(), max: new Map() };
    this.#rows.set(key, made);
    return made;
  }

  /** The rows in the order of their values. Without groups, there is one row, also for no items. */
  rows(): JsonObject[] {
    const { by } = this.#asked;
    if (by.length === 0) this.#row([]);
    return [...this.#rows.values()]
      .sort((a, b) => byValues(a.values, b.values))
      .map(({ values, count, ...measures }) => ({
        ...Object.fromEntries(
          by.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]]])),
        ),
        count,
        ...Object.fromEntries(
          MEASURES.flatMap((measure) =>
            this.#asked[measure].length > 0 ? [[measure, Object.fromEntries(measures[measure])]] : [],
          ),
        ),
      }));
  }
}

const groupOf = (value: JsonValue | undefined): Group =>
  value instanceof Decimal
    ? value.toNumber()
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : undefined;

const numberIn = (value: JsonValue | undefined): Decimal | undefined =>
  typeof value === 'number' || value instanceof Decimal ? Decimal.from(value) : undefined;

/** The order of rows: a missing value is the last one. */
function byValues(one: readonly Group[], other: readonly Group[]): number {
  for (const [at, a] of one.entries()) {
    const b = other[at];
    if (a === b) continue;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b ? -1 : 1;
  }
  return 0;
}

const columnsOf = ({ by, ...measures }: Asked): string[] => [
  ...by,
  'count',
  ...MEASURES.flatMap((measure) => measures[measure].map((name) => `${measure}.${name}`)),
];

/** Returns a row whose objects are columns: `sum.orderValue`. */
const flat = (row: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, JsonValue][] =>
      MEASURES.some((measure) => measure === name)
        ? Object.entries(value ?? {}).map(([inner, one]) => [`${name}.${inner}`, one])
        : [[name, value]],
    ),
  );

const WORDS = { sum: 'Sum', min: 'Least', max: 'Largest' } as const;

/** Returns the description of a row, for its labels. */
function rowOf({ fields }: Description, asked: Asked): Description {
  const labelled = (measure: Measure, name: string): [string, Field][] => {
    const field = fields[name];
    const label = `${WORDS[measure]}: ${field?.label ?? name}`;
    return field ? [[`${measure}.${name}`, { ...field, label }]] : [];
  };
  return describe({
    singular: 'row',
    fields: {
      ...Object.fromEntries(asked.by.flatMap((name) => (fields[name] ? [[name, fields[name]]] : []))),
      count: integer('Number'),
      ...Object.fromEntries(
        MEASURES.flatMap((measure) => asked[measure].flatMap((name) => labelled(measure, name))),
      ),
    },
  });
}
