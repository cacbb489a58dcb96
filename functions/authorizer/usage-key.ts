import { createHash } from 'node:crypto';

/**
 * The number of API keys that the callers share. API Gateway limits requests by key, and a key must exist before the
 * first request with it. Callers are unknown until then, so a digest of the caller selects one of these keys.
 */
export const USAGE_KEYS = 16;

const digestOf = (text: string) => createHash('sha256').update(text).digest();

/**
 * The value of an API key, as 40 hexadecimal digits. It is not a secret, because API Gateway takes keys from the
 * authorizer alone.
 * `service`: the name of the deployment, which makes the values of its keys unique in the account.
 */
export const usageKey = (service: string, number: number): string =>
  digestOf(`${service}/${number}`).toString('hex').slice(0, 40);

/** The API key of browsers without a token. They take no request of a caller. */
export const visitorsKey = (service: string): string => usageKey(service, USAGE_KEYS);

/** The API key of a caller: always the same one. Other callers can have it too. */
export const usageKeyOf = (service: string, subject: string): string =>
  usageKey(service, digestOf(subject).readUInt32BE() % USAGE_KEYS);
