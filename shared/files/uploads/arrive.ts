import { problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import { errorOf, finish } from '../../operations/finish.ts';
import { arrived, waitingFor } from '../../operations/waiting-for.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Checkpoint } from '../../resource/work.ts';
import { type ObjectFacts, Objects } from '../objects.ts';
import { Rows } from '../rows.ts';
import { isShown, settle } from '../settle.ts';
import { type Awaited, type Awaiting, FILE, OPERATION } from './record.ts';
import { faultOf } from './verify.ts';

/** How long who wrote an object may take to write its row, in ms, and between two looks at it. */
const GRACE = 5000;
const LOOK = 100;

/** Where the bytes of files are. */
export const PREFIX = 'files/';

/**
 * Registers a file whose object was created, and forgets one whose object was removed. An object that was uploaded for
 * an operation is compared with what was announced, and moves the operation on. Any other one has its row already: where
 * a crash left it without, it gets it here. Harmless to be told twice, late or in another order.
 *
 * @throws Unavailable when S3 or DynamoDB does not answer
 */
export async function toldOf(resource: Resource, name: string): Promise<void> {
  const stores = { objects: new Objects(PREFIX), rows: new Rows(resource) };
  const facts = await stores.objects.head(name);
  const id = Number(facts?.metadata?.[OPERATION]);
  if (!facts || !Number.isSafeInteger(id)) return repair(stores, name);
  const waiting = await waitingFor(id);
  if (waiting === 'ended') return unwanted(stores, name, facts);
  if (typeof waiting === 'string') return repair(stores, name);
  const awaiting = JSON.parse(waiting.input) as Awaiting;
  const at = Number(facts.metadata?.[FILE]);
  const file = awaiting.files[at];
  if (file?.name !== name) return repair(stores, name);
  const fault = waiting.settled.has(at) ? undefined : await faultOf(stores.objects, facts, file);
  if (fault === 'gone') return toldOf(resource, name);
  if (fault !== undefined) await stores.objects.remove(name, facts.etag);
  else await register(stores, file, facts);
  await settle(stores, name, await stores.rows.shown(name), Date.now());
  const failure = fault === undefined ? undefined : failureOf(resource, awaiting, name, fault);
  const after = await arrived(id, at, failure);
  if (after && after.done + after.failed === after.total) await end(id, resource, awaiting, after);
}

type Stores = { readonly objects: Objects; readonly rows: Rows };

/** Lists a file, unless it is listed already. The digest of one that was sent in parts was found here. */
async function register({ rows }: Stores, { name, sha256 }: Awaited, facts: ObjectFacts): Promise<void> {
  if (isShown(await rows.shown(name), facts)) return;
  await rows.put(name, { ...facts, sha256: facts.sha256 ?? sha256 }, Date.now());
}

/** All are there, or are known to have failed. */
async function end(
  id: number,
  resource: Resource,
  awaiting: Awaiting,
  checkpoint: Checkpoint,
): Promise<void> {
  const { files, origin } = awaiting;
  const [file] = files;
  if (checkpoint.failed === 0) {
    const alone = file && files.length === 1 ? `/${encodeURIComponent(file.name)}` : '';
    await finish(id, {
      status: 'Succeeded',
      answered: 201,
      location: `/${resource.name}${alone}`,
      checkpoint,
    });
    return;
  }
  const stated = `${checkpoint.failed} of ${files.length} files did not arrive as they were announced`;
  const members = { failures: checkpoint.failures as never };
  await finish(id, {
    status: 'Failed',
    error: errorOf(problem('validation-error', stated, { members }), origin),
  });
}

/** What is wrong with one of the files. */
const failureOf = (
  { name: collection }: Resource,
  { origin }: Awaiting,
  name: string,
  fault: string,
): JsonObject => ({
  href: `${origin.basePath}/${collection}/${encodeURIComponent(name)}`,
  problem: errorOf(problem('validation-error', fault), origin) as JsonObject,
});

/** What comes for an operation that was cancelled, or waited for in vain, is not kept; what was listed before stays. */
async function unwanted(stores: Stores, name: string, facts: ObjectFacts): Promise<void> {
  const shown = await stores.rows.shown(name);
  if (isShown(shown, facts)) return;
  await stores.objects.remove(name, facts.etag);
  await settle(stores, name, shown, Date.now());
}

/** Makes the row follow the object. Who wrote the object is given time to write the row. */
async function repair(stores: Stores, name: string): Promise<void> {
  for (;;) {
    const [facts, shown] = await Promise.all([stores.objects.head(name), stores.rows.shown(name)]);
    if (isShown(shown, facts)) return;
    if (!facts || Date.now() > facts.lastModified + GRACE) return settle(stores, name, shown, Date.now());
    await new Promise((later) => setTimeout(later, LOOK));
  }
}
