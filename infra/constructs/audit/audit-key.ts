import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Options } from '../../options.ts';

/** Characters of a key. RFC 2104 §3 recommends at least the 32 bytes of the hash. */
const LENGTH = 64;

/**
 * The environment variable with the key of the hashes in place of callers; none if no caller has a name. CloudFormation
 * writes the key into the configuration of the functions, so they need no call and no permission to read it. Another
 * `auditKey` makes another key. The earlier key stays if the data does: it finds a caller in older lines.
 *
 * Source: AWS CloudFormation User Guide, "Get a secret or secret value from AWS Secrets Manager".
 */
export function auditKeyVariable(scope: Construct, options: Options): Readonly<Record<string, string>> {
  const { auth, auditKey, data, local, name } = options;
  if (auth === 'none' || local) return {};
  const secret = new Secret(scope, `audit-key-${auditKey}`, {
    description: `Key ${auditKey} of the hashes in place of callers in logs and events of ${name}`,
    generateSecretString: { passwordLength: LENGTH, excludePunctuation: true },
    removalPolicy: data === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  return { AUDIT_KEY: secret.secretValue.unsafeUnwrap() };
}
