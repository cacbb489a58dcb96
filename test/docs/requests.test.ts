import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { type Closed, closed } from '../support/service/closed.ts';

/** One request of docs/requests.http. */
interface Documented {
  readonly title: string;
  readonly name?: string;
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function parse(text: string): Documented[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((block) => {
      const [title = '', ...lines] = block.split('\n');
      const comments = lines.filter((line) => line.startsWith('#')).join('\n');
      const rest = lines
        .filter((line) => !line.startsWith('#'))
        .join('\n')
        .trim();
      const [head = '', ...content] = rest.split('\n\n');
      const [line = '', ...fields] = head.split('\n');
      const [method = '', uri = ''] = line.split(' ');
      const headers = Object.fromEntries(fields.map((field) => field.split(/: (.*)/s).slice(0, 2)));
      return {
        title,
        name: /# @name (\w+)/.exec(comments)?.[1],
        status: Number(/# → (\d+)/.exec(comments)?.[1]),
        method,
        path: uri.replace('{{base}}', ''),
        headers: headers as Record<string, string>,
        ...(content.length > 0 ? { body: content.join('\n\n') } : {}),
      };
    });
}

describe('a service that requires tokens answers as docs/requests.http says', () => {
  let service: Closed;
  let token: string;
  beforeAll(async () => {
    service = await closed();
    const resources = ['members', 'customers', 'products', 'orders', 'files'];
    const scopes = resources.flatMap((name) => [`${name}:read`, `${name}:write`]);
    token = await service.issue('ada', [...scopes, 'add:read'].join(' '));
  }, 40_000);

  const named = new Map<string, Record<string, unknown>>();
  const filled = (text: string) =>
    text
      .replace('{{token}}', token)
      .replace(/\{\{(\w+)\.(\w+)\}\}/g, (_all, name: string, member: string) =>
        String(named.get(name)?.[member]),
      );

  const requests = parse(readFileSync(join(import.meta.dirname, '../../docs/requests.http'), 'utf8'));
  test('there are requests, each with its status', () => {
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.filter(({ status }) => !Number.isInteger(status))).toEqual([]);
  });
  for (const { title, name, status, method, path, headers, body } of atLeastOne(requests)) {
    test(title, async () => {
      const answer = await service.send(method, filled(path), {
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
        ...(body === undefined ? {} : { body: filled(body) }),
      });
      expect({ status: answer.status, text: answer.status === status ? '' : answer.text }).toEqual({
        status,
        text: '',
      });
      if (name) named.set(name, { ...answer.json() });
    });
  }
});
