import { secretText } from './clients/secrets-manager.ts';
import { config } from './config.ts';

let key: Promise<string> | undefined;

/**
 * Returns the key of the hashes in place of callers; undefined: callers have no names. A deployed function reads it
 * from Secrets Manager with its first use, and keeps it: another key is another secret. Elsewhere a variable has it.
 *
 * @throws Error if Secrets Manager does not respond; the next use asks again
 */
export async function auditKey(): Promise<string | undefined> {
  const secret = config.auditSecret();
  if (secret === undefined) return config.auditKey();
  key ??= textOf(secret);
  try {
    return await key;
  } catch (error) {
    key = undefined;
    throw error;
  }
}

async function textOf(secret: string): Promise<string> {
  const text = await secretText(secret);
  if (text === undefined) throw new Error('The secret has no text');
  return text;
}
