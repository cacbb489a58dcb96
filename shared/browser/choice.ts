import { type Ending, endWith, refuse } from '../flow/ending.ts';
import type { Received, Targeted } from '../flow/exchange.ts';
import {
  CHOOSE_INPUT,
  type FormFields,
  KEY_INPUT,
  LIST_FOR_PARAMETER,
  TAKE_INPUT,
} from '../representations/forms/form.ts';
import { meantIds, writtenName } from '../representations/forms/named-input.ts';
import type { FormKind } from '../resource/facts.ts';
import { titleField } from '../resource/relation.ts';

/** Characters of an address at most: API Gateway takes 10,240 bytes in the request line and all header fields. */
const MAXIMUM_ADDRESS = 6_000;

/** The forms that have inputs. */
const CHOOSING: readonly (FormKind | undefined)[] = ['new', 'edit', 'action'];

/** Inputs that the form gets anew. */
const RENEWED = [KEY_INPUT, TAKE_INPUT];

/**
 * Leads a person from a form to the list of the items that an input can name. The address carries the values of the
 * form, and the list leads back with the choice. Undefined if the person has pressed another button.
 *
 * Source: Specification 6.3.
 */
export function choiceIn(
  { request, resource, endpoint }: Received & Targeted,
  fields: FormFields,
): Ending<303 | 413> | undefined {
  const field = fields.get(CHOOSE_INPUT)?.[0];
  if (field === undefined || !CHOOSING.includes(endpoint.form)) return undefined;
  const relation = Object.values(resource.relations).find((one) => one.field === field);
  if (!relation) return undefined;
  const values = new URLSearchParams(
    [...fields].flatMap(([name, texts]) =>
      RENEWED.includes(name) ? [] : texts.map((text): [string, string] => [name, text]),
    ),
  );
  const query = new URLSearchParams([[LIST_FOR_PARAMETER, `${request.path}?${values}`]]);
  const title = titleField(relation.to);
  const written = writtenName(fields, field);
  if (title !== undefined && written !== '' && meantIds(fields, field) === undefined)
    query.set(`${title}.prefix`, written);
  const address = `${request.basePath}/${relation.to.name}?${query}`;
  if (address.length > MAXIMUM_ADDRESS) {
    const detail = `The texts in the form are too long for the list to choose from. Write the number of the ${relation.to.description.singular} instead`;
    return refuse('payload-too-large', detail);
  }
  return endWith(303, { Location: address, 'Cache-Control': 'no-store', Vary: 'Accept' });
}
