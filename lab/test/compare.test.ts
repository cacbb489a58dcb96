import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { chart } from '../compare/report/chart.ts';
import { document } from '../compare/report/document.ts';
import { tallyOf } from '../compare/result.ts';
import { plain } from '../compare/suite/adapter.ts';
import { Api } from '../compare/suite/api.ts';
import { met, refuses, verdictOn } from '../compare/suite/statement.ts';
import { statements } from '../compare/suite/statements.ts';
import { NotOffered, ok, refusal, refusalOf, Unmet, verdictOf } from '../compare/suite/verdict.ts';

const MET = { state: 'met' } as const;
const UNMET = { state: 'not met', why: 'status 200' } as const;
const ABSENT = { state: 'not offered', why: 'no files' } as const;

describe('the statements', () => {
  test('are at least 300, and each says something else', () => {
    const names = statements.map(({ says }) => says);
    expect(names.length).toBeGreaterThanOrEqual(300);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('each have a source: a section of an RFC, the Fetch Standard, or statements of the specification', () => {
    const SOURCE = /^(?:RFC \d{4}(?: §\d[\d.]*)?|draft-[a-z-]+|Fetch Standard|C\.\d+|\d+\.\d+|§)/;
    const strange = statements.filter(({ source }) => !source.split(', ').every((one) => SOURCE.test(one)));
    expect(strange.map(({ source }) => source).filter((one) => !one.startsWith('Fetch Standard, '))).toEqual(
      [],
    );
  });

  test('have a good request beside each refusal', () => {
    const without = statements.filter(
      ({ says, good }) => says.startsWith('refuses ') !== (good !== undefined),
    );
    expect(without.map(({ says }) => says)).toEqual([]);
  });
});

test('a path of a response that begins with the base path leads below the address once', async () => {
  const asked: string[] = [];
  const server = createServer(({ method, url, headers: { authorization } }, response) => {
    asked.push([method, url, authorization].join(' '));
    response.end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const api = new Api(`http://127.0.0.1:${port}/v1/`, { ...plain, headers: { Authorization: 'Bearer t' } });
  for (const path of ['/members', '/v1/members/7', `${api.url}/members/8?fields=name`]) await api.get(path);
  server.closeAllConnections();
  server.close();
  expect(asked).toEqual(
    ['members', 'members/7', 'members/8?fields=name'].map((path) => `GET /v1/${path} Bearer t`),
  );
});

describe('a refusal', () => {
  test('counts if the API accepts the good request', () => {
    expect(refusalOf(MET, MET)).toEqual(MET);
    expect(refusalOf(MET, UNMET)).toEqual(UNMET);
  });

  test('does not count for an API that refuses everything', () => {
    expect(refusalOf(UNMET, MET)).toEqual({ state: 'not met', why: 'the good request: status 200' });
    expect(refusalOf(ABSENT, MET)).toEqual({ state: 'not offered', why: 'the good request: no files' });
  });

  test('is not tried without the good request', async () => {
    const api = new Api('http://127.0.0.1:9', plain);
    const tried: string[] = [];
    const statement = refuses(
      'x',
      'RFC 9110 §15',
      async () => ok({ status: 500, text: '' }),
      async () => tried.push('bad'),
    );
    expect(await verdictOn({ part: 'a', ...statement }, api)).toMatchObject({ state: 'not met' });
    expect(tried).toEqual([]);
    expect(await verdictOn({ part: 'a', ...met('x', 'RFC 9110 §15', async () => 1) }, api)).toEqual(MET);
  });
});

describe('a verdict', () => {
  const statusOf = (status: number, ...wanted: readonly number[]) =>
    verdictOf(async () => ok({ status, text: 'body' }, ...wanted));

  test('of a success is met for its statuses alone', async () => {
    expect(await statusOf(204)).toEqual(MET);
    expect(await statusOf(200, 201)).toMatchObject({ state: 'not met' });
    expect(await statusOf(304, 304)).toEqual(MET);
  });

  test.each([405, 406, 415, 501])('is not offered for %i in place of a success', async (status) => {
    expect(await statusOf(status, 200)).toMatchObject({ state: 'not offered' });
  });

  test('of a refusal is met for 4xx, and never for 5xx', () => {
    expect(refusal({ status: 422, text: '' }).status).toBe(422);
    expect(() => refusal({ status: 500, text: '' })).toThrow(Unmet);
    expect(() => refusal({ status: 404, text: '' }, 412)).toThrow(Unmet);
  });

  test('has the reason of an error', async () => {
    expect(await verdictOf(() => Promise.reject(new NotOffered('no files')))).toEqual(ABSENT);
    expect(await verdictOf(() => Promise.reject(new TypeError('broken')))).toMatchObject({ why: 'broken' });
  });
});

describe('a chart', () => {
  const bars = [
    { name: 'none', value: undefined, label: 'not run', isOurs: false },
    { name: 'ours', value: 50, label: '50', isOurs: true },
    { name: 'a & b', value: 100, label: '100', isOurs: false },
  ];

  test.each([
    ['longest', [370, 185, 0]],
    ['shortest', [185, 370, 0]],
  ] as const)('has a bar for each value, as long as the value is large, the %s on top', (best, expected) => {
    const svg = chart('Scores', bars, best);
    const widths = [...svg.matchAll(/<rect [^>]*width="(\d+)"/g)].map(([, width]) => Number(width));
    expect(widths).toEqual(expected);
    expect(svg.match(/width="185"[^>]*class="ours"/g)).toHaveLength(1);
    expect(svg).toContain('a &amp; b');
    expect(svg).toContain('not run');
  });

  test('has colours of its own for a dark page', () => {
    expect(chart('Scores', bars)).toContain('prefers-color-scheme:dark');
  });
});

describe('the page', () => {
  const [first] = statements;
  const says = first?.says ?? '';
  const figures = { get: 10, post: 10, start: 10, memory: 10 };
  const result = {
    peers: {
      service: { judged: { verdicts: {}, figures } },
      kinto: { judged: { verdicts: { [says]: MET }, figures: { ...figures, get: 20 } } },
      spring: { reason: 'no Maven' },
    },
  };

  test('begins with what others have, and with the rows in which a peer is better', () => {
    const text = document(result, 'a machine');
    expect([...text.matchAll(/^## .*/gm)].slice(0, 3).map(([title]) => title)).toEqual([
      '## What others have, and this service has not',
      '## The direct peers, by their functions',
      '## Where a peer is better',
    ]);
    const [before, after] = [text.indexOf('## Where a peer is better'), text.indexOf('## Scores')];
    expect(text.slice(before, after)).toContain(`| ${says} | ${first?.source} | Kinto |`);
    expect(text.slice(before, after)).toContain('Kinto (× 2.00)');
    expect(text).toContain('not installed: no Maven');
  });

  test('counts a statement that did not run as not met', () => {
    expect(tallyOf(result.peers.kinto)).toMatchObject({ met: 1, 'not met': statements.length - 1 });
  });
});
