import { beforeAll } from '@jest/globals';
import { type Client, clientOf } from '../client/client.ts';
import { sharedService } from './shared.ts';
import { withFixture } from './with-fixture.ts';

/** A service that needs no tokens. */
export interface Opened {
  readonly send: Client;
  readonly url: string;
}

/**
 * Returns an open service with the resources of a folder of test/fixtures. Test files of a worker share it and its data.
 */
export async function opened(folder: string): Promise<Opened> {
  const { url } = await sharedService({ environment: withFixture(folder) });
  return { url, send: clientOf(url) };
}

/** Gives the tests of a file such a service. Returns its client. */
export function withOpened(folder: string): Client {
  let service: Opened;
  beforeAll(async () => {
    service = await opened(folder);
  }, 40_000);
  return (...request) => service.send(...request);
}
