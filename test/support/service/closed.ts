import { join } from 'node:path';
import { type Client, clientOf, type SentRequest } from '../client/client.ts';
import { type Issue, issuerOf } from '../client/tokens.ts';
import { run, temporary } from './service.ts';
import { sharedService } from './shared.ts';

/** A service that requires tokens, with an issuer of tokens. */
export interface Closed {
  readonly url: string;
  readonly send: Client;
  readonly issue: Issue;
}

const ARGS = ['--auth'];

/**
 * Returns a service as `npm start -- --auth` runs it, with the deployed authorizer. Test files of a worker share it and
 * its data.
 */
export async function closed(environment: Readonly<Record<string, string>> = {}): Promise<Closed> {
  const options = { args: ARGS, environment };
  const { url } = await sharedService(options);
  return {
    url,
    send: clientOf(url),
    issue: await issuerOf({ output: async () => (await sharedService(options)).output }),
  };
}

/** Starts such a service with data of its own. */
export async function closedAlone(
  environment: Readonly<Record<string, string>> = {},
): Promise<Closed & { stop(): Promise<void> }> {
  const place = await temporary();
  const service = await run({ directory: join(place.directory, 'data'), args: ARGS, environment });
  const url = service.url as string;
  return {
    url,
    send: clientOf(url),
    issue: await issuerOf(service),
    stop: async () => {
      await service.stop();
      await place.remove();
    },
  };
}

/** Header fields with a token. */
export const as = (token: string, more: SentRequest['headers'] = {}): SentRequest['headers'] => ({
  Authorization: `Bearer ${token}`,
  ...more,
});

/** A client with a token of its own. `scope`: the scopes of the token, with spaces between them. */
export async function clientAs(
  { send, issue }: Pick<Closed, 'send' | 'issue'>,
  caller: string,
  scope: string,
  tenant?: string,
): Promise<Client> {
  const token = await issue(caller, scope, tenant);
  return (method, path, sent = {}) => send(method, path, { ...sent, headers: as(token, sent.headers) });
}
