import { json } from '../representations/json.ts';
import { ACCEPT_PATCH, PATCH_FORMATS } from '../representations/patches.ts';
import { type Ending, end, refuse } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { readAs } from './read-as.ts';

/** Reads a patch document. Whether it can be applied is not known yet. Source: RFC 5789 §2.2. */
export function readPatch(exchange: Exchange): Ending<400 | 413 | 415> | undefined {
  const read = readAs(exchange.request, PATCH_FORMATS, { 'Accept-Patch': ACCEPT_PATCH });
  if ('status' in read) return read;
  const document = json.read(read.bytes);
  if ('fault' in document) {
    return refuse('malformed-patch', 'The patch document is not valid JSON', { errors: [document.fault] });
  }
  const patch = read.format.read(document.value);
  if ('name' in patch) return end(patch);
  exchange.patch = patch;
  return undefined;
}
