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
  PATH   a collection whose items need a name alone, such as /widgets; without it, /members
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
      items: { type: 'string', default: '/members' },
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
  const smoke = new Smoke(url, values.items, token);
  const reason = await failureToStart(smoke);
  if (reason !== undefined) {
    console.error(reason);
    return 2;
  }
  const checks = [...ACCESS, ...BYTES, ...REQUESTS].sort((a, b) => placeOf(a) - placeOf(b));
  // Large uploads take longer than all others.
  const failed = await run(smoke, [...checks, ...uploadsOf(sizes)]);
  const left = await smoke.clean();
  for (const path of left) console.log(`✕      Left behind: ${path}`);
  return exitStatus([...failed, ...left]);
}

/** Returns the reason why the checks cannot start; undefined if they can. */
async function failureToStart(smoke: Smoke): Promise<string | undefined> {
  try {
    const [asNobody, asCaller] = [
      await smoke.anonymous('GET', smoke.collection),
      await smoke.send('GET', smoke.collection),
    ];
    if (!smoke.isClosed && asNobody.status === 401) return `The service asks for a token.\n${USAGE}`;
    if (smoke.isClosed && asNobody.status === 200) return 'The service is open: leave the token out';
    if (asCaller.status !== 200)
      return `GET ${smoke.collection}: ${asCaller.status}\n${asCaller.text}\n${USAGE}`;
    return undefined;
  } catch (error) {
    return `${smoke.url} does not answer: ${(error as Error).message}`;
  }
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
