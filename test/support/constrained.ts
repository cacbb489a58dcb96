import { join } from 'node:path';
import { type Client, clientOf } from './client.ts';
import { run, temporary } from './service.ts';
import { withFixture } from './with-fixture.ts';

/** A service with more resources, whose rules need more than one item. */
export interface Constrained {
  readonly send: Client;
  stop(): Promise<void>;
}

/** Starts an open service with these resources and with data of its own. */
export async function withConstraints(): Promise<Constrained> {
  const place = await temporary();
  const service = await run({
    directory: join(place.directory, 'data'),
    environment: withFixture('constrained'),
  });
  if (service.url === undefined) throw new Error(service.output());
  return {
    send: clientOf(service.url),
    stop: async () => {
      await service.stop();
      await place.remove();
    },
  };
}
