import { malformedPrecondition, type Preconditions } from '../../../http/conditional/conditions.ts';
import {
  type FormFields,
  ITEMS_INPUT,
  isBookkeeping,
  TAKE_INPUT,
  VERSION_INPUT,
} from '../../../representations/forms/form.ts';
import { readFormFields } from '../../../representations/forms/form-reader.ts';
import { formValues } from '../../../representations/forms/form-values.ts';
import { descriptionOf } from '../../../resource/description/described.ts';
import { type FormContent, NO_CONTENT } from '../../content.ts';
import { type Ending, refuse } from '../../ending.ts';
import type { Authorized, Preferred, Received, Targeted } from '../../exchange.ts';
import { acceptItem } from '../item-body.ts';
import { MAXIMUM_BODY } from '../maximum-sizes.ts';
import { choiceIn } from './form-choice.ts';
import { readFormFiles } from './form-files.ts';
import { digestOf, itemsFile, readItemsFile, refusedBeside } from './form-items.ts';

/**
 * True if a form begins as a JSON object or array does. A browser encodes these characters. curl sends `-d` as a form,
 * unless a header field names another type.
 *
 * Source: URL Standard §5.2 (application/x-www-form-urlencoded serializing).
 */
const isJson = (bytes: Uint8Array): boolean =>
  /^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 100)).toString());

/**
 * Reads a form: its inputs are the values of a new item, or the properties to change. The version that the form
 * shows becomes a precondition of the change. `given`: the preconditions in the header fields.
 *
 * Source: Specification 6.1, 6.2.
 */
export async function readForm(
  exchange: Received & Targeted & Authorized & Preferred,
  given: Preconditions,
): Promise<FormContent | Ending<303 | 400 | 403 | 413 | 415>> {
  const { request, resource, endpoint } = exchange;
  const bytes = request.content() ?? new Uint8Array();
  if (endpoint.content !== 'none' && isJson(bytes)) {
    return refuse(
      'malformed-body',
      'The service read this JSON as a form, because Content-Type names a form. Send Content-Type: application/json',
    );
  }
  const form = await readFormFields(bytes, request.headers['content-type'] ?? '');
  if ('fault' in form)
    return refuse('malformed-body', 'The form cannot be read. Send it as a browser does', {
      errors: [form.fault],
    });
  if (form.size > MAXIMUM_BODY) {
    return refuse(
      'payload-too-large',
      `A form has at most ${MAXIMUM_BODY} bytes without its files. Send less in one request`,
      { members: { maximum: MAXIMUM_BODY } },
    );
  }
  const submitted = withoutTaken(form.fields);
  const choice = choiceIn(exchange, submitted);
  if (choice) return choice;
  const version = given.ifMatch === undefined ? submitted.get(VERSION_INPUT)?.[0] : undefined;
  if (malformedPrecondition({ ifMatch: version })) {
    const ending = refuse(
      'validation-error',
      'The version in the form is not an entity tag. Open the form again',
      { errors: [{ pointer: `/${VERSION_INPUT}`, detail: 'must be an entity tag in double quotes' }] },
    );
    return { ...ending, submitted };
  }
  if (endpoint.content === 'none') return { kind: 'form', content: NO_CONTENT, submitted, version };
  const items = itemsFile(exchange, form.files);
  if (items) {
    const refusal = refusedBeside(items, form.files, submitted);
    if (refusal) return { ...refusal, submitted };
    const content = await readItemsFile(exchange, items);
    const withFile = new Map([...submitted, [ITEMS_INPUT, [digestOf(items)]]]);
    if (content.kind === 'ending') return { ...content, submitted: withFile };
    return { kind: 'form', content, submitted: withFile, version };
  }
  const { values, removed, faults: faultyInputs } = formValues(submitted, descriptionOf(resource));
  const read = await readFormFiles(descriptionOf(resource), form.files, submitted);
  if (read.kind === 'ending') return { ...read, submitted };
  const { files } = read;
  // An empty input beside a file is the box that removes the present bytes.
  const cleared = removed.filter((name) => !files.some((file) => file.name === name));
  const faults = [...faultyInputs, ...read.faults];
  const content = acceptItem(exchange, values, form.size, { cleared, files, faults });
  if (content.kind === 'ending') return { ...content, submitted };
  return { kind: 'form', content, submitted, version };
}

/** The inputs without those for which the person chose the stored value. A change keeps properties without an input. */
function withoutTaken(fields: FormFields): FormFields {
  const taken = new Set(fields.get(TAKE_INPUT));
  if (taken.size === 0) return fields;
  return new Map([...fields].filter(([name]) => isBookkeeping(name) || !taken.has(name)));
}
