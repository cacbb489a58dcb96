import { parseWeight } from './accept.ts';
import { listMembers, trimWhitespace } from './field-value.ts';

/** The content codings of responses, by preference of the service. Source: RFC 8878 §7.2, RFC 7932 §13, RFC 1952. */
export const CODINGS = ['zstd', 'br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Shorter content, in bytes, is not worth a coding. Source: Specification 2.52. */
export const MINIMUM_BYTES = 1000;

/**
 * The coding for content of this many bytes; undefined: the content as it is (identity). The highest weight wins, then
 * the order of CODINGS. Identity wins only if the client gives it a higher weight. If the client forbids identity,
 * short content gets a coding too. If the client accepts nothing that the service has, the result is identity: content
 * that the client may be able to read is better than an error.
 *
 * Source: RFC 9110 §12.5.3, §8.4.1 (x-gzip).
 */
export function chooseCoding(field: string, bytes: number): Coding | undefined {
  const weights = weightsOf(field);
  const others = weights.get('*');
  const isForbidden = (weights.get('identity') ?? others) === 0;
  if (bytes < MINIMUM_BYTES && !isForbidden) return undefined;
  let best: Coding | undefined;
  let bestWeight = 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight <= bestWeight) continue;
    best = coding;
    bestWeight = weight;
  }
  return (weights.get('identity') ?? 0) > bestWeight ? undefined : best;
}

/** The weights of the well-formed members, in thousandths, by coding in lower case. */
function weightsOf(field: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const member of listMembers(field)) {
    const [name = '', ...parameters] = member.split(';').map((part) => trimWhitespace(part).toLowerCase());
    const [parameter = 'q=1'] = parameters;
    const weight =
      parameter.startsWith('q=') && parameters.length < 2 ? parseWeight(parameter.slice(2)) : undefined;
    if (weight !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, weight);
  }
  return weights;
}
