import { ranges, storedBytes } from '../content.ts';
import type { Response } from '../model.ts';
import type { Target } from '../targets.ts';
import { headerRefs, type Names, PREFERRED, response, TO_VERSION } from './headers.ts';

/** Returns the responses to GET of stored bytes. Source: RFC 9110 §14, §15.4.5; Specification 5.9 to 5.13. */
export function readBytes(target: Target): Record<string, Response> {
  const { mediaTypes, takes, timeGate } = target.endpoint;
  const isPast = takes === 'fileVersion' || takes === 'version';
  const stored: Names = ['Cache-Control', 'ETag', 'Last-Modified'];
  const linked: Names = mediaTypes || timeGate || isPast ? ['Link'] : [];
  const past: Names = isPast ? ['Memento-Datetime'] : [];
  const own: Names = ['Accept-Ranges', 'Content-Digest', 'Content-Disposition', 'Content-Security-Policy'];
  const headers: Names = [
    ...stored,
    ...PREFERRED,
    ...own,
    ...linked,
    ...past,
    'Referrer-Policy',
    'Repr-Digest',
  ];
  const whole = response('The stored bytes.', headers, { content: storedBytes(target) });
  return {
    200: whole,
    206: {
      description: 'The requested range, or several ranges as parts.',
      headers: { ...whole.headers, ...headerRefs(['Content-Range']) },
      content: ranges(target),
    },
    304: response('The client’s copy is current.', stored),
    ...(timeGate && { 302: TO_VERSION }),
    ...(!mediaTypes &&
      !target.route.binary && {
        307: response(
          'The bytes are too large for a response. They are at `Location`, which is valid for a few minutes.',
          ['Cache-Control', 'Location', ...PREFERRED],
        ),
      }),
  };
}
