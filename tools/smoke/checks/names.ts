import { type Check, check } from '../check.ts';
import { expectHeader, expectProblem, expectSame, expectStatus } from '../expect.ts';

/** Names that change if the service decodes them twice or never. */
const NAMES = ['50%25', '50%', 'a b+c', 'a?b#c', 'Zoë 🚀', 'a&b=c;d'];

/** Source: RFC 3986 §2.4 (decoded once), §6.2.2. */
export const PATHS: readonly Check[] = [
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
];
