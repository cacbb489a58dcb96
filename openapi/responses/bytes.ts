import { ranges, storedBytes } from '../content.ts';
import type { Response } from '../model.ts';
import type { Target } from '../targets.ts';
import { headerRefs, type Names, PREFERRED, TO_VERSION } from './headers.ts';

/** Returns the responses to GET of stored bytes. Source: RFC 9110 §14, §15.4.5; Specification 5.9 to 5.13. */
export function readBytes(target: Target): Record<string, Response> {
  const { mediaTypes, takes, timeGate } = target.endpoint;
  const isPast = takes === 'fileVersion' || takes === 'version';
  const stored: Names = ['Cache-Control', 'ETag', 'Last-Modified'];
  const headers = headerRefs([
    ...stored,
    ...PREFERRED,
    'Accept-Ranges',
    'Content-Digest',
    'Content-Disposition',
    'Content-Security-Policy',
    ...(mediaTypes || timeGate || isPast ? (['Link'] as const) : []),
    ...(isPast ? (['Memento-Datetime'] as const) : []),
    'Referrer-Policy',
    'Repr-Digest',
  ]);
  return {
    200: { description: 'The stored bytes.', headers, content: storedBytes(target) },
    206: {
      description: 'The requested range, or several ranges as parts.',
      headers: { ...headers, ...headerRefs(['Content-Range']) },
      content: ranges(target),
    },
    304: { description: 'The client’s copy is current.', headers: headerRefs(stored) },
    ...(timeGate ? { 302: TO_VERSION } : {}),
    ...(mediaTypes || target.route.binary
      ? {}
      : {
          307: {
            description:
              'The bytes are too large for a response. They are at `Location`, which is valid for a few minutes.',
            headers: headerRefs(['Cache-Control', 'Location', ...PREFERRED]),
          },
        }),
  };
}
