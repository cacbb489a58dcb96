import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { lazyClient, withoutLogger } from './client.ts';

/**
 * Returns the text of a secret, by its name or its ARN; undefined if there is no such secret.
 *
 * @throws Error if Secrets Manager does not respond, or if the role may not read the secret
 *
 * Source: AWS Secrets Manager API Reference, GetSecretValue.
 */
export async function secretText(SecretId: string): Promise<string | undefined> {
  const { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient } = await import(
    '@aws-sdk/client-secrets-manager'
  );
  const secrets = lazyClient((settings) =>
    withoutLogger(new SecretsManagerClient(settings as SecretsManagerClientConfig)),
  );
  try {
    const { SecretString } = await secrets().send(new GetSecretValueCommand({ SecretId }));
    return SecretString || undefined;
  } catch (error) {
    // A secret without a value has this error too.
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
