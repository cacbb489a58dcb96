import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { s3 } from '../../../shared/aws/clients/s3.ts';
import { fileHistoryActions } from '../../../shared/files/versions.ts';

/** The versions (v) and removals (d) of a file in the order of S3, which the parser of the SDK loses: see `time`. */
const STORED = ['v5', 'v4', 'd3', 'v2', 'v1'];

/** A version of the file `ab`, which S3 lists too. */
const OTHER = 'o1';
const LISTED = [...STORED, OTHER];

/** Of the removal, and of the version that came after it in the same second. */
const time = (version: string) => (version === 'd3' || version === 'v4' ? 3 : Number(version[1]));

const keyOf = (version: string) => (version === OTHER ? 'files/ab' : 'files/a');

const server = createServer(({ url }, response) => {
  const query = new URL(url ?? '', 'http://s3').searchParams;
  const first = LISTED.indexOf(query.get('version-id-marker') ?? '') + 1;
  const entries = LISTED.slice(first, first + Number(query.get('max-keys'))).map((version) => {
    const name = version[0] === 'd' ? 'DeleteMarker' : 'Version';
    const facts = `<Key>${keyOf(version)}</Key><VersionId>${version}</VersionId><IsLatest>${version === STORED[0]}</IsLatest>`;
    return `<${name}>${facts}<LastModified>2026-01-01T00:00:0${time(version)}Z</LastModified></${name}>`;
  });
  const last = LISTED[first + entries.length - 1] ?? '';
  const next = `<NextKeyMarker>${keyOf(last)}</NextKeyMarker><NextVersionIdMarker>${last}</NextVersionIdMarker>`;
  if (last !== OTHER) entries.push(next);
  response.end(`<ListVersionsResult>${entries.join('')}</ListVersionsResult>`);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  process.env.AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${port}`;
  process.env.BUCKET = 'bucket';
  configureClients({ credentials: { accessKeyId: 'key', secretAccessKey: 'x' }, region: 'eu-west-1' });
});
afterAll(() => {
  s3().destroy();
  server.close();
  configureClients({});
  delete process.env.AWS_ENDPOINT_URL_S3;
  delete process.env.BUCKET;
});

/** All versions, page by page. */
async function pages(limit: number): Promise<unknown[]> {
  const { list } = fileHistoryActions(async () => ({ kind: 'done' }));
  const caller = { isService: true } as never;
  const found: unknown[] = [];
  for (let next: string | undefined = '?'; next !== undefined; ) {
    const { searchParams } = new URL(next, 'http://service');
    const query = Object.fromEntries([...searchParams].map(([name, value]) => [name, [value]]));
    const call = { caller, now: 0, name: 'a', basePath: '', query: { ...query, limit: [String(limit)] } };
    const outcome = await list(call as never);
    const { members, links } = (outcome as never as { state: Found }).state;
    found.push(members.items.map(({ version }) => version));
    next = links.find(({ rel }) => rel === 'next')?.href;
  }
  return found;
}

interface Found {
  readonly members: { readonly items: readonly { readonly version: string }[] };
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

test.each([
  [2, [['v5', 'v4'], ['d3', 'v2'], ['v1']]],
  [
    3,
    [
      ['v5', 'd3', 'v4'],
      ['v2', 'v1'],
    ],
  ],
  [4, [['v5', 'd3', 'v4', 'v2'], ['v1']]],
  [5, [['v5', 'd3', 'v4', 'v2', 'v1']]],
  [9, [['v5', 'd3', 'v4', 'v2', 'v1']]],
])('pages of %i have every version once, also of a second with a removal', async (limit, expected) => {
  expect(await pages(limit)).toEqual(expected);
});

test('a page of 0 has no version and no next page', async () => {
  expect(await pages(0)).toEqual([[]]);
});

// Specification 16.12
test.each([
  [0, undefined],
  [1, 'v1'],
  [2, 'v2'],
  // The removal counts as the later one of its second.
  [3, undefined],
  [4, undefined],
  [5, 'v5'],
  [9, 'v5'],
])('at second %d, the file is %s', async (second, version) => {
  const { at } = fileHistoryActions(async () => ({ kind: 'done' }));
  const found = await at({ id: 'a' } as never, Date.UTC(2026, 0, 1, 0, 0, second));
  expect(found).toBe(version);
});
