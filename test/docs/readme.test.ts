import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { send, underTest } from '../support/under-test.ts';

const root = join(import.meta.dirname, '../..');
const BASE = 'http://127.0.0.1:3000';

/** One command of the tour and the answer printed below it. */
interface Shown {
  readonly command: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

function parse(readme: string): Shown[] {
  return [...readme.matchAll(/^```console\n\$ (curl .*)\n([\s\S]*?)^```$/gm)].map(
    ([, command = '', answer = '']) => {
      const [head = '', ...body] = answer.trimEnd().split('\n\n');
      const [line = '', ...fields] = head.split('\n');
      const headers = fields.map((field) => field.split(/: (.*)/s).slice(0, 2) as [string, string]);
      return { command, status: Number(line.split(' ')[1]), headers, body: body.join('\n\n') };
    },
  );
}

/** What a curl command line asks for: only the options that the tour uses. */
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
    if (word === '-i') continue;
    if (word === '-I') asked.method = 'HEAD';
    else if (word === '-X') asked.method = words.shift() as string;
    else if (word === '-H') {
      const [name = '', value = ''] = (words.shift() as string).split(/: (.*)/s);
      asked.headers[name] = value;
    } else if (word === '-d') {
      // What curl itself makes of it.
      asked.body = Buffer.from(words.shift() as string);
      if (asked.method === 'GET') asked.method = 'POST';
      asked.headers['Content-Type'] ??= 'application/x-www-form-urlencoded';
    } else if (word === '--data-binary')
      asked.body = readFileSync(join(root, (words.shift() as string).slice(1)));
    else if (word === '-o') words.shift();
    else if (word.startsWith(BASE)) asked.path = word.slice(BASE.length);
    else throw new Error(`The tour uses a curl option that this test does not know: ${word}`);
  }
  return asked;
}

/** What differs from run to run, by the name it has in the README: the same name must mean the same thing throughout. */
class Volatile {
  readonly #known = new Map<string, string>();

  /** The README's text with the names of this run. */
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

describe('the tour of the README runs as written', () => {
  underTest();
  const names = new Volatile();
  const tour = parse(readFileSync(join(root, 'README.md'), 'utf8'));

  test('there is a tour', () => expect(tour.length).toBeGreaterThan(8));
  for (const { command, status, headers, body } of tour) {
    test(command, async () => {
      const { method, path, headers: sent, body: content } = request(names.applied(command));
      const answer = await send(method, path, { headers: sent, body: content });
      expect(answer.status).toBe(status);
      const actualHeaders = headers
        .map(([name]) => `${name}: ${answer.headers[name.toLowerCase()]}`)
        .join('\n');
      const shownHeaders = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
      names.learn(shownHeaders, actualHeaders);
      expect(actualHeaders).toBe(names.applied(shownHeaders));
      if (body === '') return;
      names.learn(body, answer.text);
      expect(answer.text).toBe(names.applied(body));
    });
  }
});
