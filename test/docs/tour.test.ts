import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { send, underTestAlone } from '../support/under-test.ts';

const root = join(import.meta.dirname, '../..');
const BASE = 'http://127.0.0.1:3000';

/** One command of the tour and the response below it. */
interface Shown {
  readonly command: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Removes the line breaks, with the indentation after them, that the tour adds to JSON and XML. */
const unwrapped = (text: string): string => text.replace(/\n\s*/g, '');

function parse(page: string): Shown[] {
  return [...page.matchAll(/^```console\n\$ (curl (?:.*\\\n)*.*)\n([\s\S]*?)^```$/gm)].map(
    ([, command = '', response = '']) => {
      const [head = '', ...body] = response.trimEnd().split('\n\n');
      const [line = '', ...fields] = head.split('\n');
      const headers = fields.map((field) => field.split(/: (.*)/s).slice(0, 2) as [string, string]);
      return {
        command: command.replace(/\\\n\s*/g, ''),
        status: Number(line.split(' ')[1]),
        headers,
        body: unwrapped(body.join('\n\n')),
      };
    },
  );
}

/** The request that a curl command sends. It knows only the options that the tour uses. */
function request(command: string) {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)]
    .map(([, quoted, bare]) => quoted ?? bare ?? '')
    .slice(1);
  const asked = {
    method: 'GET',
    path: '',
    headers: {} as Record<string, string>,
    body: undefined as Buffer | undefined,
  };
  while (words.length > 0) {
    const word = words.shift() as string;
    if (word === '-i' || word === '-s') continue;
    if (word === '-I') asked.method = 'HEAD';
    else if (word === '-X') asked.method = words.shift() as string;
    else if (word === '-H') {
      const [name = '', value = ''] = (words.shift() as string).split(/: (.*)/s);
      asked.headers[name] = value;
    } else if (word === '-d') {
      // curl sends POST and this media type by default.
      asked.body = Buffer.from(words.shift() as string);
      if (asked.method === 'GET') asked.method = 'POST';
      asked.headers['Content-Type'] ??= 'application/x-www-form-urlencoded';
    } else if (word === '--data-binary')
      asked.body = readFileSync(join(root, (words.shift() as string).slice(1)));
    else if (word === '-o' || word === '-D') words.shift();
    else if (word.startsWith(BASE)) asked.path = word.slice(BASE.length);
    else throw new Error(`The tour uses a curl option that this test does not know: ${word}`);
  }
  return asked;
}

/** Values that differ from run to run. Each value of the tour corresponds to one value of this run. */
class Volatile {
  readonly #known = new Map<string, string>();

  /** The tour's text with the values of this run. */
  applied(text: string): string {
    return [...this.#known].reduce((result, [shown, actual]) => result.replaceAll(shown, actual), text);
  }

  /** Learns identifiers, times, request ids and cursors from two texts of the same form. */
  learn(shown: string, actual: string): void {
    const pattern = /\b\d{14,16}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}-[0-9a-f-]{27}|(?<=after=)[\w-]+/g;
    const values = actual.match(pattern) ?? [];
    for (const [at, name] of (shown.match(pattern) ?? []).entries()) {
      if (!this.#known.has(name)) this.#known.set(name, values[at] ?? '');
    }
  }
}

describe('the service responds as docs/tour.md shows', () => {
  underTestAlone();
  const names = new Volatile();
  const tour = parse(readFileSync(join(root, 'docs/tour.md'), 'utf8'));

  test('the tour has its requests', () => expect(tour.length).toBeGreaterThan(20));
  for (const { command, status, headers, body } of tour) {
    test(command, async () => {
      const { method, path, headers: sent, body: content } = request(names.applied(command));
      const response = await send(method, path, { headers: sent, body: content });
      expect(response.status).toBe(status);
      const actualHeaders = headers
        .map(([name]) => `${name}: ${response.headers[name.toLowerCase()]}`)
        .join('\n');
      const shownHeaders = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
      names.learn(shownHeaders, actualHeaders);
      expect(actualHeaders).toBe(names.applied(shownHeaders));
      if (body === '') return;
      const actual = unwrapped(response.text);
      names.learn(body, actual);
      expect(actual).toBe(names.applied(body));
    });
  }
});
