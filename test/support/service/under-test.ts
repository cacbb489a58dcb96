import { afterAll, beforeAll } from '@jest/globals';
import { type Answer, type Client, clientOf, type SentRequest } from '../client/client.ts';
import { type Service, service } from './service.ts';
import { sharedService } from './shared.ts';

let current: Pick<Service, 'url' | 'client'> | undefined;

/** Gives the tests of a file the service of their worker. Files use it one after the other, and share its data. */
export function underTest(): void {
  beforeAll(async () => {
    const url = process.env.BASE_URL ?? (await sharedService()).url;
    current = { url, client: clientOf(url) };
  }, 40_000);
}

/** Starts a service with data of its own before the tests of a file, and stops it after them. */
export function underTestAlone(): void {
  let own: Service | undefined;
  beforeAll(async () => {
    own = await service();
    current = own;
  }, 40_000);
  afterAll(() => own?.stop());
}

/** The address of the service under test. */
export function address(): string {
  if (!current) throw new Error('The service has not been started');
  return current.url;
}

/** Sends a request to the service under test. */
export const send: Client = (method, path, sent) => {
  if (!current) throw new Error('The service has not been started');
  return current.client(method, path, sent);
};

export const get = (path: string, headers: SentRequest['headers'] = {}): Promise<Answer> =>
  send('GET', path, { headers });

/** Reads a representation when the second of its last change is over, so that the response has its date. */
export async function dated(path: string): Promise<Answer> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await get(path);
    if (answer.headers['last-modified'] !== undefined) return answer;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`${path} has no Last-Modified`);
}

/** A created item: its path and the response of its creation. */
export interface Created {
  readonly path: string;
  readonly id: number;
  readonly etag: string;
  readonly answer: Answer;
}

/** Creates an item of a collection. @throws if the service refuses it */
export async function create(collection: string, values: unknown): Promise<Created> {
  const answer = await send('POST', collection, { json: values });
  if (answer.status !== 201) throw new Error(`${answer.status} to POST ${collection}: ${answer.text}`);
  const { id, orderId } = answer.json();
  return {
    path: answer.headers.location as string,
    id: id ?? orderId,
    etag: answer.headers.etag as string,
    answer,
  };
}

/** A name that no other test uses. */
export const unique = (prefix: string): string =>
  `${prefix}${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
