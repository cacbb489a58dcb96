import { ACCEPT_PATCH, JSON_PATCH, MERGE_PATCH } from '../../http/fields/media-type.ts';
import { json } from '../../representations/json.ts';
import { PATCH_FORMATS } from '../../representations/patches.ts';
import type { Content } from '../content.ts';
import { type Ending, end, refuse } from '../ending.ts';
import type { Received } from '../exchange.ts';
import { readAs } from './body.ts';

/** Reads a patch document. The step `act` applies it later. Source: RFC 5789 §2.2. */
export function readPatch({ request }: Received): Content | Ending<400 | 413 | 415> {
  if (/^\s*application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    const isArray = /^\s*\[/.test(Buffer.from(request.content() ?? []).toString());
    const format = isArray ? `array, ${JSON_PATCH}` : `object, ${MERGE_PATCH}`;
    return refuse(
      'unsupported-media-type',
      `Send Content-Type with one of ${ACCEPT_PATCH}; for this ${format}`,
      { headers: { 'Accept-Patch': ACCEPT_PATCH } },
    );
  }
  const read = readAs(request, PATCH_FORMATS, 'Accept-Patch');
  if (read.kind === 'ending') return read;
  const document = json.read(read.bytes);
  if ('fault' in document) {
    return refuse(
      'malformed-patch',
      'The patch document is not valid JSON. Correct it at the place in errors',
      {
        errors: [document.fault],
      },
    );
  }
  const parsed = read.format.read(document.value);
  if (parsed.kind === 'refused') return end(parsed.problem);
  return { kind: 'patch', patch: parsed.patch };
}
