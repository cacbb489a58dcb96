import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { lazyClient, withoutLogger } from '../../shared/aws/clients/client.ts';
import type { Target } from './deployment.ts';

/** The end of an invocation. `value`: the result, parsed from JSON. `message`: that of the error. */
export type Invocation =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly message: string };

/** Milliseconds until the result of an invocation. A function of a resource ends after 28 s. */
const PATIENCE = 30_000;

const lambda = /* @__PURE__ */ lazyClient((settings) =>
  withoutLogger(new LambdaClient({ ...(settings as LambdaClientConfig), maxAttempts: 1 })),
);

/**
 * Invokes one version of a function, and waits for its result.
 *
 * @throws the errors of the SDK
 *
 * Source: AWS Lambda API Reference, Invoke.
 */
export async function invoke({ name, version }: Pick<Target, 'name' | 'version'>, event: object) {
  const { FunctionError, Payload } = await lambda().send(
    new InvokeCommand({ FunctionName: name, Qualifier: version, Payload: JSON.stringify(event) }),
    { requestTimeout: PATIENCE },
  );
  const value: unknown = JSON.parse(Payload?.transformToString() || 'null');
  if (FunctionError === undefined) return { kind: 'returned', value } satisfies Invocation;
  const { errorMessage = FunctionError } = (value ?? {}) as { errorMessage?: string };
  return { kind: 'threw', message: errorMessage } satisfies Invocation;
}
