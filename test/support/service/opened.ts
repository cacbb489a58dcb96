import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type Client, clientOf } from '../client/client.ts';
import { run, temporary } from './service.ts';
import { withFixture } from './with-fixture.ts';

/** A service that needs no tokens. */
export interface Opened {
  readonly send: Client;
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts an open service with the resources of a folder of test/fixtures, and with data of its own. */
export async function opened(folder: string): Promise<Opened> {
  const place = await temporary();
  const service = await run({ directory: join(place.directory, 'data'), environment: withFixture(folder) });
  const { url } = service;
  if (url === undefined) throw new Error(service.output());
  return {
    url,
    send: clientOf(url),
    stop: async () => {
      await service.stop();
      await place.remove();
    },
  };
}

/** Starts such a service before the tests of a file, and ends it after them. Returns its client. */
export function withOpened(folder: string): Client {
  let service: Opened;
  beforeAll(async () => {
    service = await opened(folder);
  }, 40_000);
  afterAll(() => service.stop());
  return (...request) => service.send(...request);
}
