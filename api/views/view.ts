import { validatorOf } from '#validators';
import type { JsonObject } from '../../shared/json/value.ts';
import type { DocumentCall } from '../../shared/resource/actions/action.ts';
import type { Field, Fields as Kinds } from '../../shared/resource/description/description.ts';
import { array, capitalize, integer, object, text } from '../../shared/resource/description/fields.ts';
import { describe } from '../../shared/resource/description/plan.ts';
import { kindOf } from '../../shared/resource/kinds/kinds.ts';
import type { Needs } from '../../shared/resource/needs.ts';
import { resource as defineResource, type Resource } from '../../shared/resource/resource.ts';
import { othersOf } from '../connect.ts';
import type { Fields } from '../fields/declared.ts';
import { partsOf } from '../fields/objects.ts';
import { dayOf } from '../today.ts';
import type { ViewFacts } from './view-options.ts';
import { viewResponse } from './view-response.ts';

/** Carries the types of a view for clients. No object has it. */
declare const TYPE: unique symbol;

/** A view as an author defines it. `P`: its parameters. `F`: the fields of a row, or of its document. */
export interface View<out Name extends string = string, out P = unknown, out F = unknown> extends Resource {
  readonly [TYPE]?: { readonly parameters: P; readonly fields: F };
  readonly name: Name;
}

/** The parameters of a view with rows, in addition to its own. */
const OF_PAGE: Kinds = {
  limit: integer('Maximum number of rows on the page', { seldom: true }),
  offset: integer('Number of rows before the page', { seldom: true }),
  fields: text('The properties to show', { seldom: true }),
};

/**
 * Defines a view: a GET of its own at `/{name}`, which code answers. The validation of its parameters, formats, entity
 * tag, page, permissions and description follow from the facts. `name`: in the path, and in the scope `{name}:read`.
 *
 * Source: docs/resources.md, "A view".
 */
export function view<
  const Name extends string,
  F extends Fields,
  P extends Fields = Record<never, never>,
  R extends string = never,
  const N extends Needs = Record<never, never>,
>(name: Name, facts: ViewFacts<P, F, R, N>): View<Name, P, F> {
  const { reads = [], about, title = capitalize(name.replaceAll('-', ' ')), summary = title } = facts;
  const { rows, one, plain, immutable } = facts;
  const isList = rows !== undefined;
  if (isList === (one !== undefined)) throw new Error(`${name}: state either rows or one`);
  const id = name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const parameters = describe({ singular: id, ...partsOf(facts.parameters ?? {}) });
  const shown = describe({ singular: 'row', ...partsOf(facts.fields) });
  const validate = validatorOf(`${name}.${id}`, parameters);
  const reader = { name, resources: () => reads };
  const code = (rows ?? one) as (input: object) => object;
  const run = async ({ caller, now }: DocumentCall, values: JsonObject) => {
    const others = othersOf(made);
    // The rules of the fields have judged these values.
    return code({
      ...others.reading?.(reader, caller),
      ...others.settings,
      parameters: values,
      today: dayOf(now),
      now,
      caller,
    });
  };
  const viewed = { name, parameters, validate, shown, root: id, plain, immutable, run };
  const { fields, required } = shown;
  const row = object('Row', fields, { required });
  const made: Resource = defineResource({
    name,
    title,
    about,
    parameters: { ...ofQuery(name, parameters), ...(isList ? OF_PAGE : {}) },
    uses: reads.map((one) => ({ reads: one })),
    ...(facts.needs ? { needs: facts.needs } : {}),
    routes: () => [
      {
        path: `/${name}`,
        endpoints: {
          GET: {
            id,
            summary,
            takes: 'document',
            content: 'none',
            shape: 'document',
            parameters: [...Object.keys(parameters.fields), ...(isList ? Object.keys(OF_PAGE) : [])],
            asked: { description: parameters, validate, shown },
            ...(isList
              ? { hasRows: true, fields: { items: array('The rows of the page', row), ...COUNTS } }
              : { fields, required }),
            ...(plain === undefined ? {} : { plain: 'text/plain' as const }),
            run: (call: DocumentCall) => viewResponse(viewed, call),
          },
        },
      },
    ],
  });
  return Object.assign(made, { name });
}

const COUNTS: Kinds = {
  limit: integer('Maximum number of rows on the page'),
  offset: integer('Number of rows before the page'),
  total: integer('Number of all rows'),
};

/** Returns the fields of the parameters. @throws Error if a value of one cannot be in a query */
function ofQuery(
  view: string,
  { fields, required }: { readonly fields: Kinds; readonly required: readonly string[] },
): Kinds {
  const all = Object.entries(fields).map(([name, field]): [string, Field] => {
    if (!kindOf(field).comparing || field.kind === 'any')
      throw new Error(`${view}: the parameter '${name}' is ${field.kind}, which no query has: use text()`);
    if (Object.hasOwn(OF_PAGE, name))
      throw new Error(`${view}: the parameter '${name}' has the name of one of every list: rename it`);
    return [name, required.includes(name) ? field : { ...field, seldom: true }];
  });
  return Object.fromEntries(all);
}
