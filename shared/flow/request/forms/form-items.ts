import { createHash } from 'node:crypto';
import { formatPointer } from '../../../json/pointer.ts';
import {
  FORMATS_OF_ITEMS,
  type FormFields,
  ITEMS_INPUT,
  isBookkeeping,
} from '../../../representations/forms/form.ts';
import type { Part } from '../../../representations/forms/multipart.ts';
import type { Content } from '../../content.ts';
import { type Ending, refuse } from '../../ending.ts';
import type { Authorized, Preferred, Received, Targeted } from '../../exchange.ts';
import { readItem } from '../item-body.ts';

/** The file with new items in a form; undefined if the form has none, or if the endpoint takes one item only. */
export const itemsFile = ({ endpoint }: Targeted, files: readonly Part[]): Part | undefined =>
  endpoint.several && files.find(({ name }) => name === ITEMS_INPUT);

/** The refusal of a form with another file or input beside its file of items; undefined if it has none. */
export function refusedBeside(
  items: Part,
  files: readonly Part[],
  fields: FormFields,
): Ending<400> | undefined {
  const inputs = [...fields.keys()].filter((name) => !isBookkeeping(name));
  const others = [...files.filter((one) => one !== items).map(({ name }) => name), ...inputs];
  if (others.length === 0) return undefined;
  return refuse(
    'validation-error',
    'A form has one file of items and no other inputs. Send them one by one',
    {
      errors: others.map((name) => ({
        pointer: formatPointer([name]),
        detail: 'must not be in a form with a file of items',
      })),
    },
  );
}

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

/** The digest of the file, which an idempotency key compares. */
export const digestOf = ({ bytes }: Part): string => createHash('sha256').update(bytes).digest('base64url');
