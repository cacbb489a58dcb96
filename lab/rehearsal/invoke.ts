/** Invokes the code of a deployed function with the resources in moto. */

import { strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { command } from '../../test/support/service/command.ts';
import { eventOf } from '../events.ts';
import type { Assembly, Template } from './cdk.ts';
import type { There } from './moto.ts';

/** A deployed release: its code, its template, and the resources in moto. */
export interface Running {
  readonly assembly: Assembly;
  readonly template: Template;
  readonly there: There;
  readonly environment: NodeJS.ProcessEnv;
}

/** A request for a collection, or for the item with the identifier `id`. */
export interface Sent {
  readonly method: string;
  readonly id?: number;
  readonly query?: Readonly<Record<string, string[]>>;
  readonly json?: unknown;
}

/** The function of a name in the template, and its state in moto. @throws Error if moto does not have it */
export function functionOf({ template, there }: Running, name: string) {
  const [id = '', declared] =
    Object.entries(template.Resources).find(
      ([, { Type, Metadata }]) => Type === 'AWS::Lambda::Function' && Metadata?.SamResourceId === name,
    ) ?? [];
  const deployed = there.functions[there.resources[id] ?? ''];
  const code = declared?.Metadata?.['aws:asset:path'];
  if (deployed === undefined || code === undefined) throw new Error(`${name} has no deployed function`);
  return { code, variables: deployed.Environment.Variables };
}

const SCRIPT =
  "require('./index.js').handler(JSON.parse(process.argv[1]), {}).then((answer) => console.log(JSON.stringify(answer)))";

/**
 * Sends a request to the bundle of its deployed function. Lambda of moto needs Docker, so the bundle runs in a process
 * of Node, with the environment that moto's Lambda has and with moto as AWS.
 *
 * @throws Error if the function does not respond with JSON
 */
export async function invoke(running: Running, name: string, { method, id, query = {}, json }: Sent) {
  const { assembly, environment } = running;
  const { code, variables } = functionOf(running, name);
  const event = eventOf({
    method,
    template: id === undefined ? `/${name}` : `/${name}/{id}`,
    ...(id === undefined ? {} : { parameters: { id: String(id) } }),
    query,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  event.requestContext.authorizer = { principalId: 'rehearsal', scope: `${name}:read ${name}:write` };
  const {
    code: status,
    log,
    stdout,
  } = await command(process.execPath, ['-e', SCRIPT, JSON.stringify(event)], {
    cwd: join(assembly.directory, code),
    env: { ...environment, ...variables },
  });
  strictEqual(status, 0, log);
  const [answer = ''] = stdout.toString().trim().split('\n').slice(-1);
  const { statusCode, body }: { statusCode: number; body?: string } = JSON.parse(answer);
  return { status: statusCode, body: body ? JSON.parse(body) : undefined };
}
