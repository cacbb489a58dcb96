import { expect } from '@jest/globals';
import { type Created, create, get, send, unique } from '../../../support/service/under-test.ts';

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const GIF = Buffer.from('GIF89a');
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
export const TYPE = { 'Content-Type': 'image/png' };

/** A new member. */
export const member = () => create('/members', { name: unique('member') });
/** The address of the bytes. */
export const bytesAt = ({ path }: Created, name = 'photo') => `${path}?fields=${name}`;
/** Sends bytes to an address. */
export const put = (path: string, body = PNG, headers: Record<string, string | undefined> = TYPE) =>
  send('PUT', path, { body, headers });
/** The object that shows the bytes in their item. */
export const shownIn = async ({ path }: Created, name = 'photo') => (await get(path)).json()[name];
/** A new member with a photo. */
export const withPhoto = async () => {
  const one = await member();
  expect((await put(bytesAt(one))).status).toBe(201);
  return one;
};

/** The object that shows `PNG`, without its link. */
export const FACTS = {
  contentType: 'image/png',
  size: PNG.length,
  digest: expect.stringMatching(/^sha-256=:.+:$/),
};
