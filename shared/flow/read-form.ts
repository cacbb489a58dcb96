import { isFormType, readFormFields } from '../representations/form-fields.ts';
import { formValues } from '../representations/form-values.ts';
import type { Description } from '../resource/description.ts';
import { hasForms } from '../resource/route.ts';
import { type Ending, refuse } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { MAXIMUM_BODY } from './limits.ts';
import { takeItem } from './read-item.ts';

/** Whether the content is a form, and one is taken here. */
export function takesForm({ request, resource, operation }: Exchange): boolean {
  const { content } = operation;
  if (request.method !== 'POST' || !isFormType(request.headers['content-type'])) return false;
  return content === 'item' || content === 'change' ? hasForms(resource) : operation.form !== undefined;
}

/** Reads a form as another road to the same action: its inputs are the item's values, or the members to change. */
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
  if (operation.content === 'none') return undefined;
  const { values, removed, faults } = formValues(form.fields, resource.description as Description);
  exchange.removed = removed;
  const ending = takeItem(exchange, values, bytes.length);
  if (faults.length === 0) return ending;
  return refuse('validation-error', 'The form is not valid', {
    // That nothing is left beside them is no fault of its own.
    errors: [...faults, ...(ending?.problem?.errors ?? []).filter(({ pointer }) => pointer !== '')],
  });
}
