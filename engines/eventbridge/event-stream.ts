import { Readable } from 'node:stream';
import { Fault } from '../fault.ts';
import type { EngineRequest, EngineResponse } from '../wire.ts';
import type { Feed, KeptEvent } from './feed.ts';

/** Path of the event stream. No bucket can have this name. */
export const EVENT_STREAM_PATH = '/_events';

const BATCH = 100;
/** Milliseconds between comments, so that no proxy closes an idle connection. */
const HEARTBEAT_MS = 15_000;

/**
 * Streams events: those after `Last-Event-ID` (0: all stored events), otherwise only new ones. `authorize` throws a
 * Fault if the request has no valid signature.
 *
 * Source: HTML Standard "Server-sent events".
 */
export function answerEventStream(
  feed: Feed,
  { method, headers }: EngineRequest,
  authorize: () => void,
): EngineResponse {
  try {
    authorize();
  } catch (error) {
    const { status } = Fault.of(error, 'InternalFailure');
    return { status, headers: { 'content-length': '0' } };
  }
  if (method !== 'GET') return { status: 405, headers: { allow: 'GET', 'content-length': '0' } };
  const from = headers['last-event-id'];
  const after = from !== undefined && /^[0-9]{1,15}$/.test(from) ? Number(from) : feed.last;
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    body: streamOf(feed, after),
  };
}

const written = ({ id, detail }: KeptEvent): string =>
  `id: ${id}\ndata: ${detail.split(/\r\n|\r|\n/).join('\ndata: ')}\n\n`;

function streamOf(feed: Feed, after: number): Readable {
  let last = after;
  let wanted = false;
  const more = (): void => {
    if (!wanted) return;
    const events = feed.after(last, BATCH);
    if (events.length === 0) return;
    wanted = false;
    last = (events.at(-1) as KeptEvent).id;
    stream.push(events.map(written).join(''));
  };
  const stream = new Readable({
    read() {
      wanted = true;
      more();
    },
    destroy(error, done) {
      removeListener();
      clearInterval(heartbeat);
      done(error);
    },
  });
  const removeListener = feed.signal.listen(more);
  const heartbeat = setInterval(() => wanted && stream.push(': \n\n'), HEARTBEAT_MS);
  heartbeat.unref();
  // Sends the header section at once, with the current position for the reader.
  stream.push(`id: ${last}\nretry: 1000\n\n`);
  return stream;
}
