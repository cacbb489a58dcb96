import { createHash } from 'node:crypto';
import { FORMATS_OF_ITEMS, ITEMS_INPUT } from '../../../representations/forms/form.ts';
import type { Part } from '../../../representations/forms/multipart.ts';
import type { Content } from '../../content.ts';
import type { Ending } from '../../ending.ts';
import type { Authorized, Preferred, Received, Targeted } from '../../exchange.ts';
import { readItem } from '../item-body.ts';

/** The file with new items in a form; undefined if the form has none, or if the endpoint takes one item only. */
export const itemsFile = ({ endpoint }: Targeted, files: readonly Part[]): Part | undefined =>
  endpoint.several && files.find(({ name }) => name === ITEMS_INPUT);

/**
 * Reads the file as if the request had its bytes as content. The ending of its name decides the format, because
 * browsers take the media type of a file from the registry of the computer.
 *
 * Source: Specification 9.1.
 */
export function readItemsFile(
  exchange: Received & Targeted & Authorized & Preferred,
  { filename = '', mediaType, bytes }: Part,
): Content | Ending<400 | 403 | 413 | 415> | Promise<Content | Ending<400 | 403 | 413 | 415>> {
  const { request } = exchange;
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  const headers = { ...request.headers, 'content-type': FORMATS_OF_ITEMS.get(ending) ?? mediaType };
  return readItem({ ...exchange, request: { ...request, headers, content: () => bytes } });
}

/** What an idempotency key compares of the file. */
export const digestOf = ({ bytes }: Part): string => createHash('sha256').update(bytes).digest('base64url');
