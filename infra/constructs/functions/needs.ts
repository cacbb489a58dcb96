import { Stack } from 'aws-cdk-lib';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { VARIABLE } from '../../../shared/aws/config.ts';
import type { Needs } from '../../../shared/resource/needs.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { runsCode } from '../../../shared/resource/route.ts';
import { acknowledgeNeeds } from '../../nag-exceptions.ts';
import type { Options } from '../../options.ts';
import { allowing } from '../stores/grants.ts';

/** What the functions that run the code of a resource need. `of`: the name of the resource. */
export interface Needing {
  readonly of: string;
  readonly needs: Needs | undefined;
}

/** Returns what the function of a resource needs: nothing, unless requests run code of its author. */
export const neededByRequests = (resource: Resource): Needing => ({
  of: resource.name,
  needs: runsCode(resource) ? resource.needs : undefined,
});

/**
 * Gives a function that runs code of an author what `needs` states: variables, permission to read its secrets, and its
 * statements. No other function gets them. The environment of a function has the names of secrets at most.
 *
 * Source: AWS Secrets Manager User Guide, "IAM policy examples for secrets": a secret has six random characters after
 * its name.
 */
export function giveNeeds(lambda: Lambda, { of, needs = {} }: Needing, options: Options): void {
  const { variables = [], secrets = [], may = [] } = needs;
  for (const name of variables) lambda.addEnvironment(VARIABLE + name, options.variables[name] ?? '');
  const { partition, region, account } = Stack.of(lambda);
  const place = `arn:${partition}:secretsmanager:${region}:${account}:secret:${options.name}`;
  const allow = allowing(lambda);
  if (secrets.length > 0)
    allow({
      actions: ['secretsmanager:GetSecretValue'],
      resources: secrets.map((name) => `${place}/${name}-??????`),
    });
  for (const { actions, on } of may) allow({ actions: [...actions], resources: [...on] });
  if (lambda.role) acknowledgeNeeds(lambda.role, of, may);
}

/**
 * Compares the variables of the options with those that resources need.
 * @throws Error with a sentence, if a variable has no value, or if no resource needs one
 */
export function refuseVariables(
  needing: readonly Pick<Resource, 'name' | 'needs'>[],
  { variables, env }: Pick<Options, 'variables' | 'env'>,
): void {
  const place = env === undefined ? 'the options' : `the environment ${env}`;
  for (const { name, needs } of needing)
    for (const variable of needs?.variables ?? [])
      if (!variables[variable])
        throw new Error(
          `${name} needs the variable ${variable}, and ${place} give it no value: variables: { ${variable}: '…' }`,
        );
  const stated = needing.flatMap(({ needs }) => needs?.variables ?? []);
  const unknown = Object.keys(variables).find((name) => !stated.includes(name));
  if (unknown !== undefined)
    throw new Error(`Nothing needs the variable ${unknown} of ${place}: correct its name, or remove it`);
}
