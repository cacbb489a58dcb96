import { signedHeaders } from 'embedded-aws';
import type { RunningEngines } from './running.ts';

/** An event and its number in the engines. */
export interface Received {
  readonly id: number;
  /** The CloudEvent as JSON. */
  readonly data: string;
}

/**
 * Yields the events of a running service as they arrive. `from`: the number of the last known event; 0: all stored
 * events; undefined: only new events. Ends when the service ends.
 * @throws Error if no engines listen there, or if they have another key.
 *
 * Source: HTML Standard "Server-sent events", "Parsing an event stream".
 */
export async function* subscribe(
  { url, credentials }: RunningEngines,
  from: number | undefined,
  signal?: AbortSignal,
): AsyncGenerator<Received> {
  const events = new URL('/_events', url);
  const request = { method: 'GET', path: events.pathname, query: '', headers: { host: events.host } };
  const headers = {
    ...signedHeaders(request, credentials, Date.now()),
    accept: 'text/event-stream',
    ...(from !== undefined && { 'last-event-id': `${from}` }),
  };
  const { status, body } = await fetch(events, { headers, signal: signal ?? null });
  if (status !== 200) throw new Error(`${events} responds with status ${status}`);
  let id = 0;
  let data: string[] = [];
  for await (const line of linesOf(body as ReadableStream<Uint8Array>)) {
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') };
      data = [];
    } else if (line.startsWith('id: ')) id = Number(line.slice(4));
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
}

/** Yields complete lines. If the service is killed, the stream ends after the last complete line. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const bytes of body) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch {}
}
