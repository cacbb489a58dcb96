import { createHmac } from 'node:crypto';
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';

/** Returns the key of sealed texts, made of a key that serves another purpose too. Source: RFC 5869 §3.2 (info). */
const keyOf = (key: string): Uint8Array => createHmac('sha256', key).update('sign-in cookie').digest();

/**
 * Encrypts values, which are then valid for `seconds`. The result has the characters of base64url and dots.
 *
 * Source: RFC 7516 §3.1, RFC 7518 §4.5, §5.3.
 */
export const seal = (values: JWTPayload, key: string, seconds: number): Promise<string> =>
  new EncryptJWT(values)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(`${seconds} s`)
    .encrypt(keyOf(key));

/** Returns the values of a sealed text; undefined if it is expired, or if this key has not sealed it. */
export async function unseal(text: string, key: string): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtDecrypt(text, keyOf(key), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      requiredClaims: ['exp'],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
