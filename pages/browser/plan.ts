import type { Request } from '../../shared/http/request.ts';
import type { Response } from '../../shared/http/response.ts';
import { parseJson } from '../../shared/json/parse.ts';
import { isObject } from '../../shared/json/value.ts';
import type { FormParts } from '../../shared/representations/forms/form-reader.ts';
import { type FormFields, ITEMS_INPUT } from '../../shared/representations/forms/inputs.ts';
import type { FormPart } from '../../shared/representations/forms/multipart.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { PLAN_INPUT } from '../page-inputs.ts';
import { pageResponse } from './responses.ts';

/** Returns the request whose plan a form asks for. Source: Specification 7.18. */
export const asPlan = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, prefer: 'dry-run' },
});

/** Returns a file as the text of an input, because a page cannot fill in a file: its name, its media type, its bytes. */
const textOf = ({ filename = '', mediaType, bytes }: FormPart): string =>
  [filename.replaceAll(',', ''), mediaType, Buffer.from(bytes).toString('base64')].join();

/** Returns a form with the file that the page of its plan sends again as a text. */
export function withFile(form: FormParts): FormParts {
  const [text] = form.fields.get(ITEMS_INPUT) ?? [];
  if (text === undefined) return form;
  const [filename = '', mediaType = '', content = ''] = text.split(',');
  const file = { name: ITEMS_INPUT, filename, mediaType, bytes: Buffer.from(content, 'base64') };
  return {
    fields: new Map([...form.fields].filter(([one]) => one !== ITEMS_INPUT)),
    files: [...form.files, file],
    size: form.size - text.length,
  };
}

/**
 * Returns the page between a form and its effects: it shows the plan, and sends the form. A refusal stays as it is.
 *
 * Source: Specification 17.13.
 */
export async function planPage(
  resource: Resource,
  request: Request,
  fields: FormFields,
  response: Response,
  items?: FormPart,
): Promise<Response> {
  const isPlan = response.status === 200 && 'Preference-Applied' in response.headers;
  const parsed = isPlan && typeof response.body === 'string' ? parseJson(response.body) : undefined;
  if (!parsed || !('value' in parsed) || !isObject(parsed.value)) return response;
  const sent = new Map([...fields].filter(([name]) => name !== PLAN_INPUT));
  return pageResponse(
    200,
    {
      kind: 'document',
      name: 'plan',
      members: parsed.value,
      planned: { action: request.path, fields: sent, ...(items ? { items: textOf(items) } : {}) },
    },
    { request, resource },
  );
}
