import { type Check, check } from '../check.ts';
import { expectHeader, expectStatus } from '../expect.ts';

/** Every link contains the stage or base path of the deployment. */
export const LINKS: readonly Check[] = [
  check('S8', 'Location and every link of a new item work', async (smoke) => {
    const name = smoke.name('linked');
    const answer = expectStatus(await smoke.send('POST', smoke.collection, { json: { name } }), 201);
    const location = expectHeader(answer, 'location', /^\//);
    smoke.takeAway(smoke.pathOf(location));
    const item = expectStatus(await smoke.follow('GET', location), 200).json();
    const links = item.links as readonly { rel: string; href: string; method: string }[];
    const readable = links.filter(({ method }) => method === 'GET');
    for (const { href } of readable) expectStatus(await smoke.follow('GET', href), 200);
    return `${location}; ${readable.map(({ rel }) => rel).join(', ')}`;
  }),
  check('S8', 'Every link of the home document works', async (smoke) => {
    const home = expectStatus(await smoke.send('GET', '/'), 200).json();
    const links = (home.links as readonly { href: string; method: string }[]).filter(
      ({ href, method }) => method === 'GET' && !href.includes('{'),
    );
    let withheld = 0;
    for (const { href } of links) {
      const answer = await smoke.follow('GET', href);
      const needsScope = answer.headers['www-authenticate']?.includes('insufficient_scope') ?? false;
      if (needsScope) withheld += 1;
      expectStatus(answer, 200, ...(needsScope ? [403] : []));
    }
    return `${links.length} links, ${withheld} of them beyond the token’s scopes`;
  }),
];
