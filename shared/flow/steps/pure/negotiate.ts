import { HAS_PAGES } from '#about';
import { negotiate as choose } from '../../../http/fields/accept.ts';
import { SAFE_METHODS } from '../../../http/request.ts';
import { csv, safeCsv } from '../../../representations/csv/csv.ts';
import { formIn, html } from '../../../representations/html.ts';
import { json, jsonl, ndjson } from '../../../representations/json.ts';
import { eventBatch, linkFormat, plainText } from '../../../representations/plain-text.ts';
import type { Representation } from '../../../representations/representation.ts';
import { textXml, xml } from '../../../representations/xml/xml.ts';
import type { Endpoint } from '../../../resource/route.ts';
import { refuse } from '../../ending.ts';
import type { Negotiated, Received, Targeted } from '../../exchange.ts';
import { VERSION } from '../../request/body.ts';
import { step } from '../../step.ts';

/** The representations that a response can have. The first one is the default. */
type Offers = readonly [Representation, ...Representation[]];

const PROGRAMS: Offers = [json, xml, textXml];
const PAGES = HAS_PAGES ? [html] : [];
const ALL: Offers = [...PROGRAMS, ...PAGES];
const LISTS: Offers = [...ALL, csv, jsonl, ...ndjson, safeCsv];
const PLAIN: Readonly<Record<NonNullable<Endpoint['plain']>, Offers>> = {
  'text/plain': [...PROGRAMS, plainText, ...PAGES],
  'application/link-format': [...PROGRAMS, linkFormat, ...PAGES],
  'application/cloudevents-batch+json': [...PROGRAMS, eventBatch, ...PAGES],
};
/** Forms: JSON and XML are for clients that name them. A wildcard selects HTML. Source: Specification 6.4. */
const FORM: Offers = [html, formIn(json), formIn(xml), formIn(textXml)];

const STORED: Negotiated = { representation: json, notAcceptable: undefined };

/** The representations that the response can have. */
export function offers({ shape, plain, hasRows }: Endpoint, method: string): Offers {
  if ((shape === 'list' || hasRows) && SAFE_METHODS.has(method)) return LISTS;
  if (shape === 'form') return FORM;
  return shape === 'document' && plain ? PLAIN[plain] : ALL;
}

/** The offers, also under media types with `version`, if the client names a version. Source: Specification 12.2. */
function versioned(offers: Offers, accept: string | undefined): Offers {
  if (!accept?.includes('version')) return offers;
  const named = (type: string) => `${type};version=${VERSION}`;
  const all = offers.flatMap((one) =>
    one === html ? [] : [{ ...one, mediaType: named(one.mediaType), contentType: named(one.contentType) }],
  );
  return [...offers, ...all];
}

/**
 * Chooses the representation of the response. Bytes are not negotiated: the service sends them as they are stored,
 * and everything else about them is JSON. If no representation is acceptable, the step `acceptable` decides later.
 * DELETE ignores this, because its response has no content.
 *
 * Source: RFC 9110 §12.1, §12.5.1, §15.5.7.
 */
export const negotiate = step<Received & Targeted, Negotiated>()('negotiate', [], (exchange) => {
  const { request, endpoint } = exchange;
  if (endpoint.shape === 'bytes') return STORED;
  const available = versioned(offers(endpoint, request.method), request.headers.accept);
  const chosen = choose(request.headers.accept, available);
  const representation = chosen ?? available[0];
  if (chosen || request.method === 'DELETE') return { representation, notAcceptable: undefined };
  const types = available.map(({ mediaType }) => mediaType);
  const notAcceptable = refuse(
    'not-acceptable',
    `Accept names no format of this resource. Send one of ${types.join(', ')}`,
    { members: { available: types } },
  );
  return { representation, notAcceptable };
});
