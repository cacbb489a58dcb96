import { expect, test } from '@jest/globals';
import { understood } from '../steps/books.ts';

/** A form with a file, with a boundary between its parts. */
const form = (boundary: string, parts: Readonly<Record<string, string>>, bytes = 'x', type = 'image/png') =>
  [
    ...Object.entries(parts).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${boundary}\r\nContent-Disposition: form-data; name="cover"; filename="a"\r\nContent-Type: ${type}\r\n\r\n`,
    `${bytes}\r\n--${boundary}--\r\n`,
  ].join('');

async function fingerprint(
  path: string,
  boundary: string,
  ...rest: [title: string, bytes?: string, type?: string]
) {
  const [title, bytes, type] = rest;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': '"k"' };
  const body = form(boundary, { title }, bytes, type);
  return (await understood(`POST ${path}`, headers, { body })).keyed?.fingerprint;
}

test.each(['/books/new', '/books/7/edit'])(
  'the fingerprint of a form to %s covers inputs and files, but not the boundary',
  async (path) => {
    const first = await fingerprint(path, 'one', 'Emma');
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(await fingerprint(path, 'two', 'Emma')).toBe(first);
    expect(await fingerprint(path, 'one', 'Persuasion')).not.toBe(first);
    expect(await fingerprint(path, 'one', 'Emma', 'y')).not.toBe(first);
    expect(await fingerprint(path, 'one', 'Emma', 'x', 'image/gif')).not.toBe(first);
  },
);
