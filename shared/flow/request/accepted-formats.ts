import { ACCEPT_PATCH } from '../../http/fields/media-type.ts';
import { csv } from '../../representations/csv/csv.ts';
import { form } from '../../representations/forms/form.ts';
import { json, jsonl } from '../../representations/json.ts';
import type { Reader } from '../../representations/representation.ts';
import { xml } from '../../representations/xml/xml.ts';
import type { Resource } from '../../resource/resource.ts';
import { acceptsForms, allow, type Endpoint, type Route } from '../../resource/route.ts';

/** The formats of an item in a request. */
const READERS: readonly Reader[] = [json, xml];
/** The formats of an item, and those that contain only lists of items. */
const LIST_READERS: readonly Reader[] = [...READERS, csv, jsonl];
/** The formats of empty content, which a control URI does not need. */
const EMPTY: readonly Reader[] = [...READERS, form];
const NO_FORMATS: readonly Reader[] = [];

/** The formats that a POST, PUT or change of items accepts, except for forms. */
export const readersOf = ({ several }: Pick<Endpoint, 'several'>): readonly Reader[] =>
  several ? LIST_READERS : READERS;

/** The formats of items that a request with this method accepts. Forms are among them if the resource has forms. */
export function formatsOf(method: string, resource: Resource, endpoint: Endpoint): readonly Reader[] {
  // A visit reads its request itself.
  if (endpoint.content === 'none')
    return method === 'POST' && endpoint.takes !== 'visit' ? EMPTY : NO_FORMATS;
  const hasForm = method === 'POST' && acceptsForms(resource, endpoint);
  return hasForm ? [...readersOf(endpoint), form] : readersOf(endpoint);
}

/** The media types of formats, for header fields. */
export const mediaTypesOf = (formats: readonly { readonly mediaTypes: readonly string[] }[]): string =>
  formats.flatMap(({ mediaTypes }) => mediaTypes).join(', ');

/** The media types that POST of several files accepts. */
export const ACCEPT_FILES = ['multipart/form-data', ...json.mediaTypes, ...xml.mediaTypes].join(', ');

/**
 * The header fields of a response to OPTIONS: the methods, and the formats that PATCH and POST accept.
 *
 * Source: RFC 9110 §9.3.7, RFC 5789 §3.1; Linked Data Platform 1.0 §7.1 (Accept-Post).
 */
export function optionsHeaders(resource: Resource, route: Route): Record<string, string> {
  const headers: Record<string, string> = { Allow: allow(route) };
  const { PATCH, POST } = route.endpoints;
  if (PATCH) headers['Accept-Patch'] = ACCEPT_PATCH;
  if (!POST) return headers;
  const accepted =
    POST.content === 'files'
      ? ACCEPT_FILES
      : POST.content === 'bytes'
        ? ''
        : mediaTypesOf(formatsOf('POST', resource, POST));
  if (accepted !== '') headers['Accept-Post'] = accepted;
  return headers;
}
