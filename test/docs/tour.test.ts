import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { closedAlone } from '../support/service/closed.ts';
import { command } from '../support/service/command.ts';
import { describeUnless, missing } from '../support/skips/describe-unless.ts';

const root = join(import.meta.dirname, '../..');
const BASE = 'http://127.0.0.1:3000';
const SEPARATOR = '\u001e';

/** One command of the tour and the response below it. The body of a command without a response is ''. */
interface Shown {
  readonly command: string;
  readonly response: string;
}

/** A response as curl prints it. */
interface Response {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Removes the line breaks, with the indentation after them, that the tour adds to JSON and XML. */
const unwrapped = (text: string): string => text.replace(/\n\s*/g, '');

const page = readFileSync(join(root, 'docs/tour.md'), 'utf8');
const preparation = /^```sh\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';
const shown: readonly Shown[] = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .filter((text) => !text.startsWith('npm '))
  .map((text) => {
    const [, written = '', response = ''] = /^((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(text) ?? [];
    return { command: written, response };
  });

function parse(text: string): Response {
  const [head = '', ...body] = text.replaceAll('\r', '').trimEnd().split('\n\n');
  const [line = '', ...fields] = head.split('\n');
  return {
    status: Number(line.split(' ')[1]),
    headers: new Map(
      fields.map((field) => {
        const [name = '', value = ''] = field.split(/: (.*)/s);
        return [name.toLowerCase(), value];
      }),
    ),
    body: unwrapped(body.join('\n\n')),
  };
}

/** Values that differ from run to run. Each value of the tour corresponds to one value of this run. */
class Volatile {
  readonly #known = new Map<string, string>();

  /** The tour's text with the values of this run. */
  applied(text: string): string {
    return [...this.#known].reduce((result, [shown, actual]) => result.replaceAll(shown, actual), text);
  }

  /** Learns identifiers, digests, times, request ids and cursors from two texts of the same form. */
  learn(shown: string, actual: string): void {
    const pattern =
      /\b[0-9a-f]{32}\b|\b\d{14,16}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}-[0-9a-f-]{27}|(?<=after=)[\w.-]+/g;
    const values = actual.match(pattern) ?? [];
    for (const [at, name] of (shown.match(pattern) ?? []).entries()) {
      if (!this.#known.has(name)) this.#known.set(name, values[at] ?? '');
    }
  }
}

/** As a reader pastes them: one shell runs all commands. The service requires a token. */
describeUnless(missing('bash', 'curl'), 'the service responds as docs/tour.md shows', () => {
  let service: Awaited<ReturnType<typeof closedAlone>>;
  let printed: readonly string[] = [];

  beforeAll(async () => {
    service = await closedAlone();
    const resources = ['members', 'customers', 'products', 'orders', 'files', 'changes'];
    const scopes = resources.flatMap((name) => [`${name}:read`, `${name}:write`]);
    const token = await service.issue('ada', scopes.join(' '));
    const given = preparation.replace(BASE, service.url).replace(/^TOKEN=.*$/m, `TOKEN=${token}`);
    const script = shown.map((one) => `${one.command}\nprintf '${SEPARATOR}'`).join('\n');
    const { stdout } = await command('bash', ['-c', `${given}\n${script}`], { cwd: root });
    printed = stdout.toString().split(SEPARATOR);
  }, 60_000);
  afterAll(() => service.stop());

  test('the tour has its requests', () =>
    expect(shown.filter((one) => one.command.startsWith('curl ')).length).toBeGreaterThan(20));

  const names = new Volatile();
  for (const [at, { command, response }] of atLeastOne(shown.entries())) {
    test(command, () => {
      if (response === '') {
        expect(printed[at]).toBe('');
        return;
      }
      const wanted = parse(response);
      const actual = parse(printed[at] ?? '');
      expect(actual.status).toBe(wanted.status);
      for (const [name, value] of wanted.headers) names.learn(value, actual.headers.get(name) ?? '');
      const fields = [...wanted.headers].map(([name, value]) => [name, names.applied(value)]);
      expect([...wanted.headers.keys()].map((name) => [name, actual.headers.get(name)])).toEqual(fields);
      if (wanted.body === '') return;
      names.learn(wanted.body, actual.body);
      expect(actual.body).toBe(names.applied(wanted.body));
    });
  }
});
