import { join } from 'node:path';
import { runningEngines } from '../../local/running.ts';
import { subscribe } from '../../local/subscriber.ts';
import { run, temporary } from '../support/service/service.ts';

/** An event as a subscriber receives it. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject: string;
  readonly time: string;
  readonly sequence: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Receives all events of the service in a data directory, from the oldest one on. */
export function receiving(directory: string): {
  readonly events: readonly Event[];
  /** Waits until one of the events matches. */
  until(wanted: (event: Event) => boolean): Promise<Event>;
  stop(): Promise<void>;
} {
  const events: Event[] = [];
  const stopping = new AbortController();
  const engines = runningEngines({ DATA_DIR: directory });
  if (engines === undefined) throw new Error(`No service runs with ${directory}`);
  const received = (async () => {
    for await (const { data } of subscribe(engines, 0, stopping.signal)) events.push(JSON.parse(data));
  })();
  return {
    events,
    async until(wanted) {
      for (let turn = 0; turn < 1200; turn++) {
        const found = events.find(wanted);
        if (found) return found;
        await new Promise((later) => setTimeout(later, 10));
      }
      throw new Error(`No such event among ${events.map(({ type, subject }) => `${type} ${subject}`)}`);
    },
    async stop() {
      stopping.abort();
      await received.catch(() => {});
    },
  };
}

/** Starts a service with new data, and receives its events. `stop` ends both and removes the data. */
export async function serviceWithEvents(args: readonly string[], environment = {}) {
  const { directory: place, remove } = await temporary();
  const directory = join(place, 'data');
  const service = await run({ directory, args, environment });
  const stream = receiving(directory);
  const stop = async () => {
    await stream.stop();
    await service.stop();
    await remove();
  };
  return { directory, service, stream, stop };
}
