import { listMembers } from './field-value.ts';
import { charsetOf, parseMediaType } from './media-type.ts';

/** A representation that a response can have. */
export interface Offer {
  /** In lower case: `application/json`. With parameters, it fits only ranges that name them or have none. */
  readonly mediaType: string;
  /** The value of `Content-Type`, if it has parameters that a range may name: `text/csv; header=present`. */
  readonly contentType?: string;
  /**
   * True: a wildcard selects it only if no other offer fits, so that `*` never selects an HTML page by accident.
   */
  readonly explicit?: boolean;
}

/** A member of Accept. */
interface Range {
  /** The type and subtype in lower case, either of which may be a wildcard. */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** In thousandths, 0 to 1000. */
  readonly weight: number;
}

/** How well a range fits an offer: a `specificity` below EXACT is that of a wildcard, and -1 means no fit. */
interface Fit {
  readonly specificity: number;
  readonly weight: number;
}

/**
 * What clients send for every type: many of them, Java up to 18, and its later updates, such as 17.0.15. It does not mean
 * that the client shows pages. Source: JDK-8163921.
 */
const ANY: readonly string[] = [
  '*/*',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'text/html, image/gif, image/jpeg, */*; q=0.2',
];

const EXACT = 2;
const noFit: Fit = { specificity: -1, weight: 0 };

/**
 * The offer for the response, or undefined if none is acceptable. The most specific range that fits an offer gives
 * its weight, and the weight 0 excludes it. The highest weight wins, then an offer that is not `explicit`, then the
 * order of offers. The first offer wins if Accept is absent, empty or without a well-formed member.
 *
 * Source: RFC 9110 §12.5.1.
 */
export function negotiate<O extends Offer>(accept: string | undefined, offers: readonly O[]): O | undefined {
  if (accept === undefined || accept === '') return offers[0];
  if (ANY.includes(accept)) return offers.find((offer) => offer.explicit !== true) ?? offers[0];
  for (const offer of offers) {
    if (offer.mediaType === accept) return offer;
    if (offer.mediaType.includes(';')) break;
  }
  const ranges = parseAccept(accept, offers);
  if (ranges.length === 0) return offers[0];

  let best: O | undefined;
  let bestWeight = 0;
  let fallback: O | undefined;
  let fallbackWeight = 0;
  for (const offer of offers) {
    const { specificity, weight } = fitOf(typeOf(offer), ranges);
    if (weight === 0) continue;
    if (offer.explicit === true && specificity < EXACT) {
      if (weight > fallbackWeight) {
        fallback = offer;
        fallbackWeight = weight;
      }
    } else if (weight > bestWeight || (weight === bestWeight && best?.explicit && offer.explicit !== true)) {
      best = offer;
      bestWeight = weight;
    }
  }
  // An exact match of an explicit offer wins over a wildcard match, like that of any other offer.
  return best ?? fallback;
}

const typeOf = ({ mediaType, contentType = mediaType }: Offer): string => contentType;

/** The well-formed members of Accept. Source: RFC 9110 §12.5.1. */
function parseAccept(accept: string, offers: readonly Offer[]): Range[] {
  const ranges: Range[] = [];
  for (const member of listMembers(accept)) {
    const range = parseMediaType(member, 'q');
    if (range === undefined || (range.type === '*' && range.subtype !== '*')) continue;
    const q = range.parameters.get('q');
    const weight = q === undefined ? 1000 : parseWeight(q);
    if (weight === undefined) continue;
    const parameters = withoutExtensions(range.parameters, offers);
    ranges.push({ essence: `${range.type}/${range.subtype}`, parameters, weight });
  }
  return ranges;
}

/**
 * A parameter after the weight may belong to the range, or be an extension that older versions of Accept allowed.
 * An extension is a name that no offer has, and is ignored.
 *
 * Source: RFC 9110 §12.5.1; RFC 7231 §5.3.2.
 */
function withoutExtensions(parameters: Range['parameters'], offers: readonly Offer[]): Range['parameters'] {
  const names = [...parameters.keys()];
  const afterWeight = names.slice(names.indexOf('q') + 1);
  if (afterWeight.length === 0 || !parameters.has('q')) return parameters;
  const isOffered = (name: string) =>
    name === 'charset' || offers.some((offer) => parseMediaType(typeOf(offer))?.parameters.has(name));
  const ignored = new Set(afterWeight.filter((name) => !isOffered(name)));
  return new Map([...parameters].filter(([name]) => !ignored.has(name)));
}

/** A qvalue in thousandths, or undefined if it is malformed. Source: RFC 9110 §12.4.2. */
export function parseWeight(q: string): number | undefined {
  if (!/^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(q)) return undefined;
  return Math.round(Number(q) * 1000);
}

/** The most specific fit; of two equally specific ranges the heavier. Source: RFC 9110 §12.5.1. */
function fitOf(mediaType: string, ranges: readonly Range[]): Fit {
  const semicolon = mediaType.indexOf(';');
  const essence = semicolon < 0 ? mediaType : mediaType.slice(0, semicolon).trimEnd();
  let fit = noFit;
  for (const range of ranges) {
    const specificity = specificityOf(range, essence, mediaType);
    if (specificity > fit.specificity || (specificity === fit.specificity && range.weight > fit.weight)) {
      if (specificity >= 0) fit = { specificity, weight: range.weight };
    }
  }
  return fit;
}

/** 0 for any type, 1 for any subtype, 2 and more for the type and its parameters, -1 for no fit. */
function specificityOf(range: Range, essence: string, mediaType: string): number {
  let specificity: number;
  if (range.essence === essence) specificity = EXACT;
  else if (range.essence === '*/*') specificity = 0;
  else if (range.essence.endsWith('/*') && essence.startsWith(range.essence.slice(0, -1))) specificity = 1;
  else return -1;
  if (range.parameters.size === 0) return specificity;
  const offered = essence === mediaType ? undefined : parseMediaType(mediaType)?.parameters;
  for (const [name, value] of range.parameters) {
    if (name === 'q') continue;
    const own = offered?.get(name);
    if (name === 'charset') {
      // All text of this service is UTF-8, whether its media type says so or not. The JSON type defines no charset
      // at all (RFC 8259 §11).
      if (charsetOf(own ?? 'utf-8') !== charsetOf(value)) return -1;
    } else if (own !== value) return -1;
    if (specificity >= EXACT) specificity++;
  }
  return specificity;
}
