import { setTimeout as pause } from 'node:timers/promises';
import { type Check, check } from '../check.ts';
import { expectHeader, expectProblem, expectSame, expectStatus } from '../expect.ts';
import type { Smoke } from '../smoke.ts';

/**
 * API Gateway obeys this field. Authorization must hold for the resulting method. Source: API Gateway Developer
 * Guide, "Known issues".
 */
const OVERRIDE = 'X-HTTP-Method-Override';

/** Names that change if the service decodes them twice or never. */
const NAMES = ['50%25', '50%', 'a b+c', 'a?b#c', 'Zoë 🚀', 'a&b=c;d'];

const LAG_MS = 10_000;

/** Returns false if the token lacks the scope of a link. @throws Error if the link does not work */
async function expectReadable(smoke: Smoke, href: string): Promise<boolean> {
  const answer = await smoke.follow('GET', href);
  const needsScope = answer.headers['www-authenticate']?.includes('insufficient_scope') ?? false;
  expectStatus(answer, 200, ...(needsScope ? [403] : []));
  return !needsScope;
}

/** Refusals, paths, links, and what takes effect later. */
export const REQUESTS: readonly Check[] = [
  // Source: RFC 9457 §3; RFC 9110 §9.3.8, §15.5.6.
  check('S4', 'A path that nothing is at: 404, a problem', async (smoke) => {
    const answer = expectProblem(await smoke.send('GET', `/${smoke.name('nothing')}`), 404);
    return String(answer.json().type);
  }),
  check('S4', 'A method that a path does not have: 405, a problem, Allow', async (smoke) => {
    const answer = expectProblem(await smoke.send('PATCH', smoke.collection), 405);
    return `Allow: ${expectHeader(answer, 'allow', /GET/)}`;
  }),
  check('S4', 'A client can look up the type of a problem', async (smoke) => {
    const answer = await smoke.send('GET', `${smoke.collection}/${smoke.name('none')}`);
    const type = String(expectProblem(answer, 400, 404).json().type);
    expectStatus(await smoke.follow('GET', type), 200);
    return type;
  }),
  check('S5', 'TRACE: 405, a problem, Allow; the response has no part of the request', async (smoke) => {
    const headers = { 'X-Smoke': smoke.name('secret') };
    const answer = expectProblem(await smoke.send('TRACE', smoke.collection, { headers }), 405);
    expectSame(answer.text.includes(headers['X-Smoke']), false, 'the request in the response');
    return `Allow: ${expectHeader(answer, 'allow', /GET/)}`;
  }),
  check('S5', 'X-HTTP-Method-Override gives no further rights', async (smoke) => {
    const path = await smoke.create('overridden');
    const remove = await smoke.anonymous('POST', path, { headers: { [OVERRIDE]: 'DELETE' } });
    const draft = await smoke.draft('created');
    const headers = { [OVERRIDE]: 'OPTIONS' };
    const create = await smoke.anonymous('POST', draft.path, { headers, json: draft.json });
    expectStatus(create, 200, 204, 400, 401);
    const seen = `DELETE: ${remove.status}, OPTIONS: ${create.status}`;
    // Without tokens everyone may send DELETE, so a front that obeys the override gives no further right.
    if (!smoke.isClosed && remove.status === 204) return `${seen}; the front obeys it`;
    expectStatus(remove, 400, 401);
    expectStatus(await smoke.send('GET', path), 200);
    return seen;
  }),
  // Source: RFC 3986 §2.4 (decoded once), §6.2.2.
  ...NAMES.map((suffix) =>
    check('S7', `A file called ${suffix} keeps its name`, async (smoke) => {
      const filename = smoke.name(suffix);
      const { path } = await smoke.store(suffix, Buffer.from(filename));
      const got = await smoke.send('GET', path);
      expectSame(expectStatus(got, 200).text, filename, 'content');
      const again = await smoke.send('PUT', path, { body: filename });
      expectSame(expectStatus(again, 200).json().filename, filename, 'filename');
      return path;
    }),
  ),
  check('S7', 'An encoded slash is not a separator: 400 from the function', async (smoke) => {
    const path = `${await smoke.file('a')}%2Fb`;
    return String(expectProblem(await smoke.send('PUT', path, { body: 'x' }), 400).json().detail);
  }),
  check('S7', 'A path with a slash at the end redirects to the path without it', async (smoke) => {
    const answer = expectStatus(await smoke.send('GET', `${smoke.collection}/`), 308);
    const location = expectHeader(answer, 'location', /[^/]$/);
    expectSame(smoke.pathOf(location), smoke.collection, 'location');
    expectStatus(await smoke.follow('GET', location), 200);
    return location;
  }),
  // Source: RFC 9110 §8.3; Specification 2.51.
  check('S18', 'A 201 without content, and its Content-Type', async (smoke) => {
    const { path, json } = await smoke.draft('minimal');
    const sent = { headers: { Prefer: 'return=minimal' }, json };
    const answer = expectStatus(await smoke.send('POST', path, sent), 201);
    smoke.takeAway(smoke.pathOf(answer.headers.location ?? ''));
    expectSame(answer.text, '', 'content');
    const type = answer.headers['content-type'];
    return type === undefined ? 'none' : `${type}, from the gateway: clients must not parse the content`;
  }),
  // Every link contains the stage or base path of the deployment.
  check('S8', 'Location and every link of a new item work', async (smoke) => {
    const { path, json } = await smoke.draft('linked');
    const answer = expectStatus(await smoke.send('POST', path, { json }), 201);
    const location = expectHeader(answer, 'location', /^\//);
    smoke.takeAway(smoke.pathOf(location));
    const item = expectStatus(await smoke.follow('GET', location), 200).json();
    const links = item.links as readonly { rel: string; href: string; method: string }[];
    const readable = links.filter(({ method }) => method === 'GET');
    for (const { href } of readable) await expectReadable(smoke, href);
    return `${location}; ${readable.map(({ rel }) => rel).join(', ')}`;
  }),
  check('S8', 'Every link of the home document works', async (smoke) => {
    const home = expectStatus(await smoke.send('GET', '/'), 200).json();
    const links = (home.links as readonly { href: string; method: string }[]).filter(
      ({ href, method }) => method === 'GET' && !href.includes('{'),
    );
    let withheld = 0;
    for (const { href } of links) if (!(await expectReadable(smoke, href))) withheld += 1;
    return `${links.length} links, ${withheld} of them beyond the token’s scopes`;
  }),
  // Checks with a delay: indexes of DynamoDB follow their tables, and the worker follows the acceptance.
  check('S11', 'A new item is in its list soon', async (smoke) => {
    const path = await smoke.create('listed');
    const start = Date.now();
    while (!(await smoke.send('GET', `${smoke.collection}?limit=20&sort=-createdAt`)).text.includes(path)) {
      if (Date.now() - start > LAG_MS) throw new Error(`${path} is not in the list after ${LAG_MS} ms`);
      await pause(100);
    }
    return `after ${Date.now() - start} ms`;
  }),
  check('S13', 'The worker completes an accepted request: 202, then 303 to the new item', async (smoke) => {
    const start = Date.now();
    const headers = { Prefer: 'respond-async' };
    const { path, json } = await smoke.draft('deferred');
    const accepted = expectStatus(await smoke.send('POST', path, { json, headers }), 202);
    const end = expectStatus(await smoke.ended(accepted.headers.location ?? ''), 303);
    const made = end.headers.location ?? '';
    smoke.takeAway(smoke.pathOf(made));
    expectStatus(await smoke.follow('GET', made), 200);
    return `after ${Date.now() - start} ms`;
  }),
];
