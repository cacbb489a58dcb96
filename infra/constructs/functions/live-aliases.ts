import { Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Alias, type IFunction, type Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Options } from '../../options.ts';
import { CanaryDeployment } from './canary-deployment.ts';
import { failingRequests, type Judgement, refusedTokens } from './canary-metrics.ts';

/** The name of the function that serves no resource and that requests wait for. */
export const AUTHORIZER_FUNCTION = 'authorizer';

/** A construct with a function. Its alias and its canary deployment belong to the same stack. */
export type WithFunction = Construct & { readonly lambda: Lambda };

/** Returns the functions themselves, by name. */
export const lambdasOf = (functions: ReadonlyMap<string, WithFunction>): ReadonlyMap<string, IFunction> =>
  new Map([...functions].map(([name, { lambda }]) => [name, lambda]));

export interface LiveProps {
  readonly options: Options;
  /** The alarm that rolls every deployment back; undefined: there is no canary. */
  readonly failures: Alarm | undefined;
  /** The directory with a bundled handler. */
  readonly bundleOf: (name: string) => string;
}

/**
 * Returns an alias of each function, which API Gateway invokes. It refers to the current version. During a canary
 * deployment it also refers to the previous version.
 */
export function liveAliases(
  scope: Construct,
  functions: ReadonlyMap<string, WithFunction>,
  { options, failures, bundleOf }: LiveProps,
): ReadonlyMap<string, Alias> {
  const canary =
    options.deployment === 'canary' && failures
      ? new CanaryDeployment(scope, 'deployment', { failures, bundle: bundleOf('pre-traffic'), options })
      : undefined;
  if (canary) startInGroups([...functions.values()]);
  return new Map(
    [...functions].map(([name, one]) => {
      const alias = new Alias(one, 'live', { aliasName: 'live', version: one.lambda.currentVersion });
      canary?.add(
        name,
        alias,
        options.observability === 'full' ? judgementOf(name, alias, options) : undefined,
      );
      return [name, alias];
    }),
  );
}

/** The most canaries that begin together: CodeDeploy and Lambda limit the calls of an account. */
const TOGETHER = 9;

/** Lets each nested stack wait for the one that is so many before it. Their canaries then begin in groups. */
function startInGroups(functions: readonly WithFunction[]): void {
  const stacks = functions
    .map((one) => Stack.of(one))
    .filter(({ nestedStackResource }) => nestedStackResource);
  for (const [at, stack] of stacks.entries()) {
    const before = stacks[at - TOGETHER];
    if (before) stack.addDependency(before);
  }
}

const judgementOf = (name: string, alias: Alias, options: Options): Judgement =>
  name === AUTHORIZER_FUNCTION ? refusedTokens(alias) : failingRequests(options.name, name, alias);
