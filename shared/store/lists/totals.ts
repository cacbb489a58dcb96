import type { Fault } from '../../http/problem.ts';
import { Decimal } from '../../json/decimal.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Sight } from '../../resource/access/sight.ts';
import type { Calls } from '../../resource/actions/action.ts';
import { found, type Outcome, refused } from '../../resource/actions/outcome.ts';
import type { Description, Field } from '../../resource/description/description.ts';
import { integer } from '../../resource/description/fields.ts';
import { describe } from '../../resource/description/plan.ts';
import type { Filter } from '../../resource/lists/filter.ts';
import type { Resource } from '../../resource/resource.ts';
import type { TotalsActions } from '../../resource/styles/totals.ts';
import { readable } from '../form/attributes.ts';
import type { Partition } from '../form/table.ts';
import type { KeptGroups, WantedTotals } from './kept-totals.ts';
import { Pages } from './pages.ts';
import { type Asked, Groups, isMeasured, MEASURES, type Measure, makesGroups } from './rows-of-totals.ts';

const MAXIMUM_GROUPINGS = 2;
/** The most cells, rows by columns: so many fit into a response in each format. */
const MAXIMUM_CELLS = 30_000;
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
  within: Partition | undefined,
  keptGroups: KeptReader | undefined,
): Promise<Outcome> {
  const faults: Fault[] = [];
  const asked = askedIn(resource, query, sight, faults);
  if (faults.length > 0)
    return invalid('The query is not valid. Correct the named parameters', { errors: faults });
  const groups = new Groups(asked);
  const filters = [...page.filters, ...(within ? [isWithin(within)] : [])];
  const isKept = asked.min.length + asked.max.length === 0;
  const kept = isKept ? await keptGroups?.(resource, { ...asked, filters }) : undefined;
  if (kept) for (const group of kept.groups) groups.addKept(group);
  else {
    const all = await new Pages(resource).all(caller, page.filters, within);
    if (!all) return invalid(tooMany(resource, asked));
    for (const item of all) groups.add(readable(resource.name, item));
  }
  const items = groups.rows();
  const names = columnsOf(asked);
  if (items.length * names.length > MAXIMUM_CELLS)
    return invalid(
      `The totals have ${items.length} rows of ${names.length} columns, and at most ${MAXIMUM_CELLS} cells fit. Name fewer fields, or filter for fewer items`,
    );
  return found({
    kind: 'document',
    name: 'totals',
    members: {
      items,
      by: asked.by,
      ...(kept && kept.asOf > 0 ? { asOf: new Date(kept.asOf).toISOString() } : {}),
    },
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

const isWithin = ({ field, value }: Partition): Filter => ({
  field,
  operator: '=',
  values: [typeof value === 'number' ? Decimal.from(value) : value],
});

/** Why a request for too many items gets 400, with the fact that helps, unless no kept total can. */
function tooMany({ owner, keptTotals }: Resource, { by, sum, min, max }: Asked): string {
  const limit = 'Totals read at most 10000 items, and fewer if they are large. Filter for fewer';
  if (owner !== undefined || min.length + max.length > 0) return limit;
  const named = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');
  const fact = `{ by: [${named(by)}], sum: [${named(sum)}] }`;
  return keptTotals
    ? `${limit}, ask for what the service keeps, or state ${fact} in totals. A backfill counts the items that are there`
    : `${limit}, or state totals: [${fact}] in the definition`;
}

const invalid = (detail: string, more: { readonly errors?: readonly Fault[] } = {}): Outcome =>
  refused('validation-error', detail, more);

/** Reads totals that the service keeps, as `keptGroups` does. */
type KeptReader = (resource: Resource, wanted: WantedTotals) => Promise<KeptGroups | undefined>;

/** Returns the actions of totals. `field`: names the item above, for a list below it. `kept`: undefined: the service keeps none. */
export const totalsActions = (resource: Resource, field = '', kept?: KeptReader): TotalsActions => ({
  all: (input) => totalsOf(resource, input, undefined, kept),
  below: (input) => totalsOf(resource, input, { field, value: input.id }, kept),
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
  return {
    by: names('by', (name, field) => !OWN.has(name) && makesGroups(name, field, process)),
    sum: names('sum', (_, field) => isMeasured(field)),
    min: names('min', (_, field) => isMeasured(field)),
    max: names('max', (_, field) => isMeasured(field)),
  };
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
