import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Options } from '../../options.ts';
import { logRetention } from '../functions/retention.ts';
import { allowing } from '../stores/grants.ts';

/** Characters of a key. RFC 2104 §3 recommends at least the 32 bytes of the hash. */
const LENGTH = 64;

/**
 * Returns the secret with the key of the hashes instead of callers; undefined if no caller has a name. Another
 * `auditKey` makes another key. The earlier key stays if the data does: it finds a caller in older lines.
 */
export function auditSecret(scope: Construct, options: Options): Secret | undefined {
  const { auth, auditKey, local, name } = options;
  if (auth === 'none' || local) return undefined;
  return new Secret(scope, `audit-key-${auditKey}`, {
    description: `Key ${auditKey} of the hashes in place of callers in logs and events of ${name}`,
    generateSecretString: { passwordLength: LENGTH, excludePunctuation: true },
    removalPolicy: logRetention(options),
  });
}

/**
 * Lets a function read the key. Its variable has the ARN of the secret, so who may read the configuration of a function
 * does not see the key.
 *
 * Source: AWS Secrets Manager User Guide, "Determine who has permissions to your secrets".
 */
export function letRead(lambda: Lambda, secret: Secret | undefined): void {
  if (!secret) return;
  lambda.addEnvironment('AUDIT_SECRET', secret.secretArn);
  allowing(lambda)({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] });
}
