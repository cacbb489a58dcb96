/** Uses a service that runs in MiniStack. */

import { equal, match, ok } from 'node:assert/strict';
import { type Answer, type Client, clientOf } from '../../../test/support/client/client.ts';
import type { MiniStack } from './start.ts';

/** A deployed service, with a token of its user pool. */
export interface Wired {
  /** Sends a request through the API, with the token unless `headers` name another one. */
  readonly send: Client;
  /** The outputs of the stack. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Returns the lines in the log of a function. `word`: the end of its name. */
  log(word: string): Promise<readonly string[]>;
}

/** Scopes of the token: all resources, and the lists of changes and of subscriptions. */
const SCOPES = ['all:read', 'all:write', 'changes:read', 'subscriptions:read', 'subscriptions:write'];

/** Gets a token as docs/deploy.md says, and finds the API. @throws Error if MiniStack refuses a step */
export async function wired({ url, aws }: MiniStack, stack: string): Promise<Wired> {
  const pairs = await aws<{ OutputKey: string; OutputValue: string }[]>(
    ...['cloudformation', 'describe-stacks', '--stack-name', stack, '--query', 'Stacks[0].Outputs'],
  );
  const outputs = Object.fromEntries(pairs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const [id, secret] = await aws<string[]>(
    ...['cognito-idp', 'create-user-pool-client', '--user-pool-id', outputs.UserPool ?? ''],
    ...['--client-name', 'rehearsal', '--generate-secret', '--allowed-o-auth-flows-user-pool-client'],
    ...['--allowed-o-auth-flows', 'client_credentials', '--allowed-o-auth-scopes'],
    ...SCOPES.map((one) => `${stack}/${one}`),
    ...['--query', 'UserPoolClient.[ClientId,ClientSecret]'],
  );
  const granted = await clientOf(url)('POST', '/oauth2/token', {
    headers: {
      Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  const { access_token: token } = granted.json();
  match(String(token), /^eyJ/);
  const api = new URL(outputs.URL ?? '').hostname.split('.')[0];
  const client = clientOf(`${url}/restapis/${api}/v1/_user_request_`);
  const groups = await aws<string[]>(
    ...['logs', 'describe-log-groups', '--query', 'logGroups[].logGroupName'],
  );
  return {
    outputs,
    send: (method, path, { headers, ...sent } = {}) =>
      client(method, path, {
        ...sent,
        headers: { Accept: 'application/json', Authorization: `Bearer ${token}`, ...headers },
      }),
    log: async (word) => {
      // The logical id ends with a hash.
      const group = groups.find((one) => new RegExp(`${word}log[0-9A-F]{8}$`).test(one));
      ok(group, `no log is that of ${word}`);
      return aws<string[]>(
        ...['logs', 'filter-log-events', '--log-group-name', group, '--query', 'events[].message'],
      );
    },
  };
}

/** Returns the response if it has this status. @throws Error with its text */
export function expectStatus(answer: Answer, status: number): Answer {
  equal(answer.status, status, `${answer.status}: ${answer.text.slice(0, 400)}`);
  return answer;
}
