import { parseArgs } from 'node:util';
import { type Check, exitStatus } from './check.ts';
import { ACCESS } from './checks/access.ts';
import { BYTES } from './checks/bytes.ts';
import { REQUESTS } from './checks/requests.ts';
import { uploadsOf } from './checks/uploads.ts';
import { Skipped } from './expect.ts';
import { Smoke } from './smoke.ts';

/** Returns the place of a check in docs/smoke.md. */
const placeOf = ({ id }: Check): number => Number(id.slice(1));

const USAGE = `smoke URL [TOKEN] [--items PATH] [--gib SIZE]...
  URL    where the service is, with its stage or base path: the stack's output URL
  TOKEN  for a service that asks for one; it needs the scopes to read and to write PATH and files
  PATH   the collection of the checks, such as /widgets; without it, the first one that the token may read
  SIZE   also upload a file of so many GiB, more than 0.0625, by a manifest; 1 and 6 show both kinds of copies`;

/**
 * `npm run tool -- smoke URL [TOKEN]` checks a deployed service over HTTP alone, and deletes the data that it created.
 * ✓ means proven, ✕ wrong, – not testable here. The exit status is 1 if a check fails, 3 if only checks
 * of TLS do, and 2 if the checks could not start.
 */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      items: { type: 'string' },
      gib: { type: 'string', multiple: true, default: [] },
    },
  });
  const sizes = values.gib.map(Number);
  const [url, token, ...more] = positionals;
  if (
    url === undefined ||
    more.length > 0 ||
    !sizes.every((gib) => gib > 0.0625) ||
    !/^https?:\/\/[^/?#]+[^?#]*$/.test(url)
  ) {
    console.error(USAGE);
    return 2;
  }
  const smoke = await begin(url, token, values.items).catch((error: Error) => error.message);
  if (typeof smoke === 'string') {
    console.error(smoke);
    return 2;
  }
  const checks = [...ACCESS, ...BYTES, ...REQUESTS].sort((a, b) => placeOf(a) - placeOf(b));
  // Large uploads take longer than all others.
  const failed = await run(smoke, [...checks, ...uploadsOf(sizes)]);
  const left = await smoke.clean();
  for (const path of left) console.log(`✕      Left behind: ${path}`);
  return exitStatus([...failed, ...left]);
}

/** Returns the service with the collection of the checks. @throws Error if they cannot start */
async function begin(url: string, token?: string, items?: string): Promise<Smoke> {
  const smoke = await Smoke.at(url, token).catch((error: Error) => {
    throw new Error(`${url} does not answer with its description, /openapi.json: ${error.message}`);
  });
  let refusal = 'The description has no collection in which a client can create and remove items';
  for (const path of items === undefined ? smoke.drafts.collections : [items]) {
    const [asNobody, asCaller] = [await smoke.anonymous('GET', path), await smoke.send('GET', path)];
    if (!smoke.isClosed && asNobody.status === 401)
      throw new Error(`The service asks for a token.\n${USAGE}`);
    if (smoke.isClosed && asNobody.status === 200)
      throw new Error('The service is open: leave the token out');
    smoke.collection = path;
    refusal = `GET ${path}: ${asCaller.status}\n${asCaller.text}\n${USAGE}`;
    if (asCaller.status !== 200) continue;
    try {
      await smoke.create('first');
      return smoke;
    } catch (error) {
      await smoke.clean();
      refusal = `The checks cannot create an item of ${path}: ${(error as Error).message}`;
    }
  }
  throw new Error(refusal);
}

/** Runs the checks one after the other and prints a line for each. Returns the ids of failed ones. */
async function run(smoke: Smoke, checks: readonly Check[]): Promise<readonly string[]> {
  const failed: string[] = [];
  const counts = { '✓': 0, '✕': 0, '–': 0 };
  for (const { id, claim, run: look } of checks) {
    const [mark, seen] = await look(smoke).then(
      (evidence): ['✓', string] => ['✓', evidence],
      (error: Error): ['–' | '✕', string] => [error instanceof Skipped ? '–' : '✕', error.message],
    );
    counts[mark] += 1;
    if (mark === '✕') failed.push(id);
    console.log(`${mark} ${id.padEnd(4)} ${claim} — ${seen.replace(/\s+/g, ' ')}`);
  }
  console.log(`\n${counts['✓']} proven, ${counts['✕']} wrong, ${counts['–']} not testable here`);
  return failed;
}

process.exitCode = await main();
