import { listMembers } from './field-value.ts';
import { areParameters } from './structured-field.ts';

/** Digests by algorithm, in base64. */
export type Digests = ReadonlyMap<string, string>;

const MEMBER = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):(.*)$/;

/** Reads Content-Digest or Repr-Digest; undefined if malformed. Source: RFC 9530 §2, §3; RFC 9651 §3.2. */
export function parseDigests(field: string): Digests | undefined {
  const digests = new Map<string, string>();
  for (const member of listMembers(field)) {
    const [, algorithm, value, parameters = ''] = MEMBER.exec(member) ?? [];
    if (algorithm === undefined || value === undefined || !areParameters(parameters)) return undefined;
    digests.set(algorithm, value);
  }
  return digests;
}

/** A digest field with one SHA-256. `sha256` in base64. */
export const formatSha256 = (sha256: string): string => `sha-256=:${sha256}:`;
