import { FORM_TYPES } from '../../representations/forms/form-fields.ts';
import { json } from '../../representations/json.ts';
import { ACCEPT_PATCH } from '../../representations/patch-types.ts';
import type { Reader } from '../../representations/representation.ts';
import { xml } from '../../representations/xml/xml.ts';
import type { Resource } from '../../resource/resource.ts';
import { allow, hasForms, type Route } from '../../resource/route.ts';

/** The formats of an item in a request. */
export const READERS: readonly Reader[] = [json, xml];

/** The media types that POST and PUT of an item accept. Source: Linked Data Platform 1.0 §7.1 (Accept-Post). */
export const ACCEPT_ITEM = READERS.flatMap(({ mediaTypes }) => mediaTypes).join(', ');

/** The media types that a control URI accepts although it needs no content: an item or a form. */
export const ACCEPT_ITEM_OR_FORM = [ACCEPT_ITEM, ...FORM_TYPES].join(', ');

/** The media types that POST of an item accepts. They include forms if the resource has forms. */
export const acceptPost = (resource: Resource): string =>
  hasForms(resource) ? ACCEPT_ITEM_OR_FORM : ACCEPT_ITEM;

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
  const { content, form } = route.endpoints.POST ?? {};
  if (content === 'none' && form !== undefined) headers['Accept-Post'] = ACCEPT_ITEM_OR_FORM;
  if (content === 'item' || content === 'change') headers['Accept-Post'] = acceptPost(resource);
  if (content === 'files') headers['Accept-Post'] = ACCEPT_FILES;
  return headers;
}
