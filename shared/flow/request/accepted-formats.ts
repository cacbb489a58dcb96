import type { Request } from '../../http/request.ts';
import { csv } from '../../representations/csv/csv.ts';
import { FORM_TYPES } from '../../representations/forms/form.ts';
import { form } from '../../representations/forms/form-format.ts';
import { json } from '../../representations/json.ts';
import { jsonl } from '../../representations/jsonl.ts';
import { ACCEPT_PATCH } from '../../representations/patch-types.ts';
import type { Reader } from '../../representations/representation.ts';
import { xml } from '../../representations/xml/xml.ts';
import type { Resource } from '../../resource/resource.ts';
import { acceptsForms, allow, type Endpoint, hasForms, type Route } from '../../resource/route.ts';

/** The formats of an item in a request. */
export const READERS: readonly Reader[] = [json, xml];

/** The media types that POST and PUT of an item accept. Source: Linked Data Platform 1.0 §7.1 (Accept-Post). */
export const ACCEPT_ITEM = READERS.flatMap(({ mediaTypes }) => mediaTypes).join(', ');

/** The media types that a control URI accepts although it needs no content: an item or a form. */
export const ACCEPT_ITEM_OR_FORM = [ACCEPT_ITEM, ...FORM_TYPES].join(', ');

/** The formats that contain only lists of items. */
const LIST_READERS: readonly Reader[] = [csv, jsonl];

/** The formats that a POST, PUT or change of items accepts. */
export const readersOf = ({ several }: Pick<Endpoint, 'several'>): readonly Reader[] =>
  several ? [...READERS, ...LIST_READERS] : READERS;

/** The formats that a control URI accepts although it needs no content. */
const IGNORED: readonly Reader[] = [...READERS, form];
const NO_FORMATS: readonly Reader[] = [];

/** The formats of items that a request may have. */
export function formatsOf({ method }: Request, resource: Resource, endpoint: Endpoint): readonly Reader[] {
  const hasForm = method === 'POST' && acceptsForms(resource, endpoint);
  if (endpoint.content === 'none') return hasForm ? IGNORED : NO_FORMATS;
  return hasForm ? [...readersOf(endpoint), form] : readersOf(endpoint);
}

const typesOf = (readers: readonly Reader[]): string =>
  readers.flatMap(({ mediaTypes }) => mediaTypes).join(', ');

/** The media types that POST of an item accepts. They include forms if the resource has forms. */
export const acceptPost = (resource: Resource, endpoint: Pick<Endpoint, 'several'>): string =>
  [typesOf(readersOf(endpoint)), ...(hasForms(resource) ? FORM_TYPES : [])].join(', ');

/** The media types that POST of several files accepts. */
export const ACCEPT_FILES = ['multipart/form-data', ...json.mediaTypes, ...xml.mediaTypes].join(', ');

/**
 * The header fields of a response to OPTIONS: the methods, and the formats that PATCH and POST accept.
 *
 * Source: RFC 9110 §9.3.7, RFC 5789 §3.1.
 */
export function optionsHeaders(resource: Resource, route: Route): Record<string, string> {
  const headers: Record<string, string> = { Allow: allow(route) };
  if (route.endpoints.PATCH) headers['Accept-Patch'] = ACCEPT_PATCH;
  const { content, form, several } = route.endpoints.POST ?? {};
  if (content === 'none' && form !== undefined) headers['Accept-Post'] = ACCEPT_ITEM_OR_FORM;
  if (content === 'item' || content === 'change') headers['Accept-Post'] = acceptPost(resource, { several });
  if (content === 'files') headers['Accept-Post'] = ACCEPT_FILES;
  return headers;
}
