import { negotiate as choose } from '../../http/accept.ts';
import { html } from '../../pages/html.ts';
import { json } from '../../representations/json.ts';
import { plainText } from '../../representations/plain-text.ts';
import type { Representation } from '../../representations/representation.ts';
import { textXml, xml } from '../../representations/xml.ts';
import type { Endpoint } from '../../resource/route.ts';
import { refuse } from '../ending.ts';
import { step } from '../step.ts';
import { versioned } from '../versions.ts';

const PROGRAMS: readonly Representation[] = [json, xml, textXml];
const ALL: readonly Representation[] = [...PROGRAMS, html];
const PLAIN: readonly Representation[] = [...PROGRAMS, plainText];
const PEOPLE: readonly Representation[] = [html];

/** The representations that the response can have. A form page has HTML only. */
export function offers({ shape, plain }: Endpoint): readonly Representation[] {
  if (shape === 'form') return PEOPLE;
  return shape === 'document' && plain ? PLAIN : ALL;
}

/**
 * Chooses the representation of the response. Bytes are not negotiated: the service sends them as they are stored.
 * If no representation is acceptable, the step `acceptable` decides later. DELETE ignores this, because its
 * response has no content.
 *
 * Source: RFC 9110 §12.1, §12.5.1, §15.5.7.
 */
export const negotiate = step('negotiate', [], (exchange) => {
  const { request, resource, operation } = exchange;
  if (operation.shape === 'bytes') return undefined;
  const available = versioned(offers(operation), resource, request.headers.accept);
  const chosen = choose(request.headers.accept, available);
  exchange.representation = chosen ?? (available[0] as Representation);
  if (chosen || request.method === 'DELETE') return undefined;
  const types = available.map(({ mediaType }) => mediaType);
  exchange.notAcceptable = refuse('not-acceptable', `This resource comes as ${types.join(', ')}`, {
    members: { available: types },
  });
  return undefined;
});
