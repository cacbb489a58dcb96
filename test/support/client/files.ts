import { get, send } from '../service/under-test.ts';
import type { Answer, Body, SentRequest } from './client.ts';

/** Stores bytes as a file. */
export const put = (
  path: string,
  body: string | Buffer,
  headers: SentRequest['headers'] = {},
): Promise<Answer> => send('PUT', path, { body, headers });

/** A file's row in the listing. */
export async function listed(filename: string): Promise<Body | undefined> {
  for (let at: string | undefined = '/files?limit=1000'; at !== undefined; ) {
    const body: Body = (await get(at)).json();
    const found = body.items.find((item) => item.filename === filename);
    if (found) return found;
    at = body.links.find(({ rel }) => rel === 'next')?.href;
  }
  return undefined;
}
