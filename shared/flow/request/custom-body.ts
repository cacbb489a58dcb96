import { emptyObject, isObject } from '../../json/value.ts';
import { faultsOfNames } from '../../resource/description/misspelt-names.ts';
import { faultsOfInput, NO_INPUT } from '../../resource/description/no-input.ts';
import { removeNulls, valuesOf, withDefaults } from '../../resource/description/values.ts';
import { type Content, type ContentOfParts, NO_CONTENT } from '../content.ts';
import { type Ending, end, refuse } from '../ending.ts';
import type { Received, Targeted } from '../exchange.ts';
import { formatsOf } from './accepted-formats.ts';
import { readAs, refuseMalformed, validateValues } from './body.ts';

type Reading = Promise<Content | ContentOfParts | Ending<400 | 413 | 415>>;

/**
 * Reads the body of a custom action, in any format of an item. It ignores unknown properties, and null counts as left out.
 * A request without a body has none of its properties, if none is required.
 *
 * Source: Specification 1.7, 2.16, 2.50.
 */
export async function readCustomBody({ request, resource, endpoint }: Received & Targeted): Reading {
  const { body } = endpoint;
  if (!body) throw new Error(`The action ${endpoint.id} of ${resource.name} states no body`);
  const { description, validate } = body;
  const isEmpty = request.content() === undefined && request.headers['content-type'] === undefined;
  if (isEmpty && description.required.length === 0)
    return { kind: 'body', values: withDefaults(description, emptyObject()) };
  const read = readAs(request, formatsOf(request.method, resource, endpoint), 'Accept-Post');
  if (read.kind === 'ending') return read;
  const sending = { contentType: request.headers['content-type'] ?? '', isIgnored: false };
  const document = await read.format.read(read.bytes, description, undefined, sending);
  if ('problem' in document) return end(document.problem);
  if ('fault' in document) return refuseMalformed(read.format.mediaTypes[0], document.fault);
  if (!isObject(document.value))
    return refuse('validation-error', 'The body must be an object', {
      errors: [{ pointer: '', detail: 'must be an object' }],
    });
  const values = valuesOf(description, document.value);
  removeNulls(description, values);
  const { faults = [], headers, identity, removed = [], files = [] } = document.parts ?? {};
  const inputs = [...removed, ...files.map(({ name }) => name)];
  const misspelt = faultsOfNames(`the action ${endpoint.id}`, description, document.value, inputs);
  // No item stores these values, so the limit of items does not hold.
  const faulty = validateValues(validate, values, { faults: [...faults, ...misspelt] });
  if (faulty) return faulty;
  const content: Content = { kind: 'body', values: withDefaults(description, values) };
  return headers && identity ? { kind: 'parts', content, headers, identity } : content;
}

/**
 * Reads the content of a control URI, which needs none. It may be empty in a known format, because API clients often send an
 * empty object. Source: Specification 8.3.
 */
export async function readNoBody({ request, resource, endpoint }: Received & Targeted): Reading {
  const read = readAs(request, formatsOf(request.method, resource, endpoint), 'Accept-Post');
  if (read.kind === 'ending') return read;
  const sending = { contentType: request.headers['content-type'] ?? '', isIgnored: true };
  const document = await read.format.read(read.bytes, NO_INPUT, undefined, sending);
  if ('problem' in document) return end(document.problem);
  if ('fault' in document) return refuseMalformed(read.format.mediaTypes[0], document.fault);
  const errors = faultsOfInput(document.value);
  if (errors.length > 0)
    return refuse('validation-error', 'The request takes no input. Send it without a body', { errors });
  return document.parts ? { ...document.parts, kind: 'parts', content: NO_CONTENT } : NO_CONTENT;
}
