import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { lazyClient, withoutLogger } from './clients/client.ts';
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
  key ??= secretText(secret);
  try {
    return await key;
  } catch (error) {
    key = undefined;
    throw error;
  }
}

/**
 * Returns the text of a secret, by its ARN.
 *
 * @throws Error if Secrets Manager does not respond, or if the role may not read the secret
 *
 * Source: AWS Secrets Manager API Reference, GetSecretValue.
 */
async function secretText(SecretId: string): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const secrets = lazyClient((settings) =>
    withoutLogger(new SecretsManagerClient(settings as SecretsManagerClientConfig)),
  );
  const { SecretString } = await secrets().send(new GetSecretValueCommand({ SecretId }));
  if (!SecretString) throw new Error('The secret has no text');
  return SecretString;
}
