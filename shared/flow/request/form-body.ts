import { malformedPrecondition } from '../../http/conditions.ts';
import { isFormType, readFormFields, VERSION_INPUT } from '../../representations/form-fields.ts';
import { formValues } from '../../representations/form-values.ts';
import type { Description } from '../../resource/description.ts';
import { hasForms } from '../../resource/route.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import { acceptItem } from './item-body.ts';
import { MAXIMUM_BODY } from './limits.ts';

/** Whether the content is a form, and the operation accepts forms. */
export function takesForm({ request, resource, operation }: Exchange): boolean {
  const { content } = operation;
  if (request.method !== 'POST' || !isFormType(request.headers['content-type'])) return false;
  return content === 'item' || content === 'change' ? hasForms(resource) : operation.form !== undefined;
}

/**
 * Reads a form: its inputs are the values of a new item, or the properties to change. The version that the form
 * shows becomes a precondition of the change.
 *
 * Source: Specification 6.1, 6.2.
 */
export async function readForm(exchange: Exchange): Promise<Ending<400 | 413> | undefined> {
  const { request, resource, operation } = exchange;
  const bytes = request.content() ?? new Uint8Array();
  if (bytes.length > MAXIMUM_BODY) {
    return refuse('payload-too-large', `A form has at most ${MAXIMUM_BODY} bytes`, {
      members: { maximum: MAXIMUM_BODY },
    });
  }
  const form = await readFormFields(bytes, request.headers['content-type'] as string);
  if ('fault' in form) return refuse('malformed-body', 'The form cannot be read', { errors: [form.fault] });
  exchange.submitted = form.fields;
  const version = form.fields.get(VERSION_INPUT)?.[0];
  if (version !== undefined && exchange.preconditions.ifMatch === undefined) {
    exchange.preconditions = { ...exchange.preconditions, ifMatch: version };
    if (malformedPrecondition(exchange.preconditions)) {
      return refuse('validation-error', 'The version in the form is not an entity tag', {
        errors: [{ pointer: `/${VERSION_INPUT}`, detail: 'must be an entity tag in double quotes' }],
      });
    }
  }
  if (operation.content === 'none') return undefined;
  const { values, removed, faults } = formValues(form.fields, resource.description as Description);
  exchange.clearedFields = removed;
  const ending = acceptItem(exchange, values, bytes.length);
  if (faults.length === 0) return ending;
  return refuse('validation-error', 'The form is not valid', {
    // Faulty inputs are not in the values. The missing values are therefore no fault of their own.
    errors: [...faults, ...(ending?.problem?.errors ?? []).filter(({ pointer }) => pointer !== '')],
  });
}
