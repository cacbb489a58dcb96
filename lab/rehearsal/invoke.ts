/** Invokes deployed functions in moto. */

import { ok } from 'node:assert/strict';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { eventOf } from '../events.ts';
import type { Deployed } from './deployed.ts';

/** A deployed release, and the client that invokes its functions. */
export interface RunningRelease extends Deployed {
  readonly lambda: LambdaClient;
}

/** A request for a collection, or for the item with the identifier `id`. */
export interface SentRequest {
  readonly method: string;
  readonly id?: number;
  readonly query?: Readonly<Record<string, string[]>>;
  readonly json?: unknown;
}

/** The function of a name in the template, and its version at the alias. @throws Error if moto does not have it */
export function functionOf({ template, there }: Deployed, name: string) {
  const [id = ''] =
    Object.entries(template.Resources).find(
      ([, { Type, Metadata }]) => Type === 'AWS::Lambda::Function' && Metadata?.SamResourceId === name,
    ) ?? [];
  const physical = there.resources[id];
  const [alias] = there.functions[physical ?? '']?.aliases ?? [];
  if (physical === undefined) throw new Error(`${name} has no deployed function`);
  return { physical, version: alias?.FunctionVersion };
}

/**
 * Sends a request to the function of a resource, in its version of this release.
 *
 * @throws Error if the function does not respond with JSON
 */
export async function invoke(
  running: RunningRelease,
  name: string,
  { method, id, query = {}, json }: SentRequest,
) {
  const { physical, version } = functionOf(running, name);
  const event = eventOf({
    method,
    template: id === undefined ? `/${name}` : `/${name}/{id}`,
    ...(id === undefined ? {} : { parameters: { id: String(id) } }),
    query,
    headers: {
      'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      Accept: 'application/json',
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  event.requestContext.authorizer = { principalId: 'rehearsal', scope: `${name}:read ${name}:write` };
  const { Payload, FunctionError } = await running.lambda.send(
    // moto ignores the parameter Qualifier.
    new InvokeCommand({ FunctionName: `${physical}:${version}`, Payload: JSON.stringify(event) }),
  );
  const answer = new TextDecoder().decode(Payload);
  ok(FunctionError === undefined, answer);
  const { statusCode, body }: { statusCode: number; body?: string } = JSON.parse(answer);
  return { status: statusCode, body: body ? JSON.parse(body) : undefined };
}
