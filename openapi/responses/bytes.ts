import { ranges, storedBytes } from '../content.ts';
import type { Response } from '../model.ts';
import { binaryOf, type Target } from '../targets.ts';
import { type Names, response, TO_VERSION } from './headers.ts';

/** Returns the responses to GET of stored bytes. Source: RFC 9110 §14, §15.4.5; Specification 5.9 to 5.13. */
export function readBytes(target: Target): Record<string, Response> {
  const { mediaTypes, takes, timeGate } = target.endpoint;
  const isPast = takes === 'fileVersion' || takes === 'version';
  const linked: Names = mediaTypes || timeGate || isPast ? ['Link'] : [];
  const past: Names = isPast ? ['Memento-Datetime'] : [];
  const located: Names = binaryOf(target) === undefined ? [] : ['Content-Location'];
  const stored: Names = ['ETag', 'Last-Modified', ...located];
  const headers: Names = [
    ...stored,
    'Accept-Ranges',
    'Content-Digest',
    'Content-Disposition',
    ...linked,
    ...past,
    'Repr-Digest',
  ];
  return {
    200: response('The stored bytes.', headers, { content: storedBytes(target) }),
    206: response('The requested range, or several ranges as parts.', [...headers, 'Content-Range'], {
      content: ranges(target),
    }),
    304: response('The client’s copy is current.', stored),
    ...(timeGate && { 302: TO_VERSION }),
    ...(!mediaTypes &&
      !target.route.binary && {
        307: response(
          'The bytes are too large for a response. They are at `Location`, which is valid for a few minutes.',
          ['Location'],
        ),
      }),
  };
}
