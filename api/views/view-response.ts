import { UNITS_OF_ITEM, unitsLeft } from '../../shared/aws/read-budget.ts';
import { type Fault, Unavailable } from '../../shared/http/problem.ts';
import { Decimal } from '../../shared/json/decimal.ts';
import { emptyObject, type JsonObject, type JsonValue } from '../../shared/json/value.ts';
import type { DocumentCall } from '../../shared/resource/actions/action.ts';
import { found, type Outcome, refused } from '../../shared/resource/actions/outcome.ts';
import type { Description, Field } from '../../shared/resource/description/description.ts';
import { findFaults, type SchemaValidator } from '../../shared/resource/description/validate.ts';
import { kindOf } from '../../shared/resource/kinds/kinds.ts';
import { queryNumber } from '../../shared/resource/kinds/numbers.ts';
import type { LinkFact } from '../../shared/resource/link.ts';
import { ListTooLong, Refusal } from '../refusal.ts';

/** A view at work. */
export interface Viewed {
  readonly name: string;
  readonly parameters: Description;
  readonly validate: SchemaValidator;
  /** The fields of a row, or of the document. */
  readonly shown: Description;
  /** The name of the root in formats that name it. */
  readonly root: string;
  readonly plain?: string | undefined;
  readonly immutable?: boolean | undefined;
  /** Runs the code of the author. */
  readonly run: (call: DocumentCall, parameters: JsonObject) => Promise<object>;
}

const MAXIMUM_ROWS = 10_000;
const DEFAULT_LIMIT = 100;
const MAXIMUM_LIMIT = 1000;
/** Characters of JSON after which a page ends, so that it fits into a response in each format. */
const MAXIMUM_TEXT = 1_500_000;
/** The exponent of a number in a parameter is between -EXPONENT and EXPONENT. Source: Specification D.6. */
const EXPONENT = 38;

/** For all representations but the page, which names the person who is signed in. */
const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };

type Query = DocumentCall['query'];

const invalid = (errors: readonly Fault[], detail = 'The query is not valid. Correct the named parameters') =>
  refused('validation-error', detail, errors.length > 0 ? { errors } : {});

/** Returns the response to GET of a view. Without the parameters that it needs, a page has only a form for them. */
export async function viewResponse(view: Viewed, call: DocumentCall): Promise<Outcome> {
  const names = Object.keys(view.parameters.fields);
  const asks = names.length > 0 ? { asks: names } : {};
  const { required } = view.parameters;
  if (call.isPage && required.length > 0 && names.every((name) => call.query[name] === undefined))
    return found({ kind: 'document', name: view.root, members: {}, ...asks });
  const { faults, values } = parametersOf(view, call);
  const isList = view.plain === undefined && 'limit' in call.query;
  const page = isList ? pageOf(view, call.query, faults) : undefined;
  if (faults.length > 0) return invalid(faults);
  const result = await view.run(call, values).catch((error: unknown) => {
    if (error instanceof Unavailable && unitsLeft() < UNITS_OF_ITEM)
      return new Refusal('The view reads more than 20 MB. Choose parameters that select less', {});
    if (error instanceof ListTooLong)
      return new Refusal(
        'The view sorts more than 10000 items, or fewer large ones. Choose parameters that select less',
        {},
      );
    throw error;
  });
  if (result instanceof Refusal) {
    const errors = Object.entries(result.errors).map(([parameter, detail]) => ({ parameter, detail }));
    return invalid(errors, result.detail);
  }
  if (page) return rowsShown(view, [result].flat(), page, call, asks);
  const members = shownValues(view.shown, result);
  const plain = view.plain === undefined ? undefined : members[view.plain];
  return found({
    kind: 'document',
    name: view.root,
    members,
    ...asks,
    ...(plain === undefined ? {} : { plain: plain instanceof Decimal ? plain.text : String(plain) }),
    ...(view.immutable && !call.isPage ? { headers: IMMUTABLE } : {}),
  });
}

/** Reads the parameters as the filters of lists are read, and judges them by the rules of their fields. */
function parametersOf({ parameters, validate }: Viewed, { query, isPage }: DocumentCall) {
  const faults: Fault[] = [];
  const values = emptyObject();
  for (const [name, field] of Object.entries(parameters.fields)) {
    const text = query[name]?.[0];
    // A form sends its empty inputs.
    const isLeftOut = text === undefined || (isPage && text === '' && !parameters.required.includes(name));
    const value = isLeftOut ? defaultOf(field) : valueIn(field, text);
    if (value instanceof Misread) faults.push({ parameter: name, detail: value.detail });
    else if (value !== undefined) values[name] = value;
  }
  const misread = new Set(faults.map(({ parameter }) => parameter));
  for (const { pointer = '', detail } of findFaults(validate, values)) {
    const parameter = pointer.slice(1);
    if (!misread.has(parameter)) faults.push({ parameter, detail });
  }
  return { faults, values };
}

class Misread {
  readonly detail: string;

  constructor(detail: string) {
    this.detail = detail;
  }
}

const defaultOf = (field: Field): JsonValue | undefined => ('default' in field ? field.default : undefined);

/** Returns the value of a text in a query, in its stored form. */
function valueIn(field: Field, text: string): JsonValue | Misread {
  const kind = kindOf(field);
  if (field.kind === 'decimal') {
    const number = queryNumber(text, EXPONENT);
    return (
      number ?? new Misread(`must be a decimal number, with an exponent between -${EXPONENT} and ${EXPONENT}`)
    );
  }
  const read = kind.comparing?.read(text, '=', field) ?? { fault: 'cannot be in a query' };
  if ('fault' in read) return new Misread(read.fault);
  return kind.stored(read.scalars[0] ?? text, field);
}

/** The page of a view: its first row, the number of rows, and the properties to show. */
interface ViewPage {
  readonly limit: number;
  readonly offset: number;
  readonly selected: readonly string[];
}

/** Reads the page that the query selects. Adds every fault to `faults`. */
function pageOf({ shown }: Viewed, query: Query, faults: Fault[]): ViewPage {
  const count = (parameter: string, otherwise: number) => {
    const text = query[parameter]?.[0];
    const number = text === undefined ? Decimal.from(otherwise) : queryNumber(text);
    if (number?.isInteger && number.compare(0) >= 0) return number.toNumber();
    faults.push({ parameter, detail: 'must be an integer of 0 or more' });
    return otherwise;
  };
  const names = Object.keys(shown.fields);
  const sent = (query.fields ?? []).flatMap((text) => text.split(',')).filter(Boolean);
  for (const name of sent)
    if (!names.includes(name))
      faults.push({
        parameter: 'fields',
        detail: `'${name.slice(0, 64)}' is not a field: use ${names.join(', ')}`,
      });
  return {
    limit: Math.min(count('limit', DEFAULT_LIMIT), MAXIMUM_LIMIT),
    offset: count('offset', 0),
    selected: sent.length > 0 ? names.filter((name) => sent.includes(name)) : names,
  };
}

/** Returns a page of the rows. It ends early if they are large, and its link leads to the others. */
function rowsShown(
  view: Viewed,
  rows: readonly object[],
  { limit, offset, selected }: ViewPage,
  { query }: DocumentCall,
  asks: { readonly asks?: readonly string[] },
): Outcome {
  if (rows.length > MAXIMUM_ROWS)
    return invalid([], `The view has more than ${MAXIMUM_ROWS} rows. Choose parameters that select fewer`);
  const items: JsonObject[] = [];
  let characters = 0;
  for (const row of rows.slice(offset, offset + limit)) {
    const item = shownValues(view.shown, row, selected);
    characters += JSON.stringify(item).length;
    if (characters > MAXIMUM_TEXT && items.length > 0) break;
    items.push(item);
  }
  const link = (rel: string, from: number): LinkFact => {
    const search = new URLSearchParams();
    for (const [name, values = []] of Object.entries(query))
      for (const value of values) search.append(name, value);
    search.set('limit', String(limit));
    search.set('offset', String(from));
    return { rel, href: `/${view.name}?${search}` };
  };
  const end = offset + items.length;
  const isMore = limit > 0 && end < rows.length;
  return found({
    kind: 'document',
    name: view.root,
    members: { items, limit: isMore ? Math.min(items.length, limit) : limit, offset, total: rows.length },
    rows: { description: view.shown, names: selected, items, offset, total: rows.length },
    links: [
      link('first', 0),
      ...(limit > 0 && offset > 0 ? [link('prev', Math.max(0, offset - limit))] : []),
      ...(isMore ? [link('next', end)] : []),
    ],
    ...asks,
  });
}

/** Returns the properties in the order of their fields, as JSON has them. */
function shownValues(
  { fields }: Description,
  row: object,
  names: readonly string[] = Object.keys(fields),
): JsonObject {
  const members = emptyObject();
  const values = new Map<string, JsonValue>(Object.entries(row));
  for (const name of names) {
    const [field, value] = [fields[name], values.get(name)];
    if (!field || value === undefined || value === null) continue;
    members[name] =
      field.kind === 'timestamp' && typeof value === 'number'
        ? new Date(value).toISOString()
        : kindOf(field).stored(value, field);
  }
  return members;
}
