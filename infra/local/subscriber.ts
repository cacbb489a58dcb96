import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** The file in the data directory that tells where the engines of a running service listen. */
export const ENGINE_URL = 'engine-url';

/** An event, and the number under which the engines keep it. */
export interface Received {
  readonly id: number;
  /** The CloudEvent as JSON. */
  readonly data: string;
}

/**
 * The events of a running service, as they come; `from` is the number of the last one that is known already, 0 for all
 * that are kept, undefined for those from now on. Ends when the service does.
 * @throws Error when nobody listens there.
 *
 * Source: HTML Standard "Server-sent events", "Parsing an event stream".
 */
export async function* subscribe(
  engineUrl: string,
  from: number | undefined,
  signal?: AbortSignal,
): AsyncGenerator<Received> {
  const headers = { accept: 'text/event-stream', ...(from !== undefined && { 'last-event-id': `${from}` }) };
  const { body } = await fetch(new URL('/_events', engineUrl), { headers, signal: signal ?? null });
  const lines = createInterface({ input: Readable.fromWeb(body as ReadableStream) });
  let id = 0;
  let data: string[] = [];
  try {
    for await (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { id, data: data.join('\n') };
        data = [];
      } else if (line.startsWith('id: ')) id = Number(line.slice(4));
      else if (line.startsWith('data: ')) data.push(line.slice(6));
    }
  } catch (error) {
    // A service that is killed breaks off.
    if (!/terminated|aborted/.test((error as Error).message)) throw error;
  }
}
