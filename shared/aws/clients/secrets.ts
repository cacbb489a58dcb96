import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import { lazyClient, withoutLogger } from './client.ts';

const secrets = /* @__PURE__ */ lazyClient((settings) =>
  withoutLogger(new SecretsManagerClient(settings as SecretsManagerClientConfig)),
);

/**
 * The text of a secret, by its ARN.
 *
 * @throws Error if Secrets Manager does not respond, or if the role may not read the secret
 *
 * Source: AWS Secrets Manager API Reference, GetSecretValue.
 */
export async function secretText(SecretId: string): Promise<string> {
  const { SecretString } = await secrets().send(new GetSecretValueCommand({ SecretId }));
  if (!SecretString) throw new Error('The secret has no text');
  return SecretString;
}
