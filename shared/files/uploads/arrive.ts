import { Unavailable } from '../../http/unavailable.ts';
import { finish } from '../../operations/finish.ts';
import { arrived, waitingFor } from '../../operations/waiting-for.ts';
import type { Resource } from '../../resource/resource.ts';
import { type ObjectFacts, Objects } from '../objects.ts';
import { Rows } from '../rows.ts';
import { isShown, settle } from '../settle.ts';
import { endOf, failureOf, pathOf } from './end.ts';
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
  const { origin } = waiting;
  const failure = fault === undefined ? undefined : failureOf(pathOf(resource.name, name), fault, origin);
  const after = await arrived(id, at, failure);
  const end = after && endOf(resource.name, awaiting.files, origin, after);
  // A worker may hold it for a moment.
  if (end && !(await finish(id, end, 'nobody')) && typeof (await waitingFor(id)) !== 'string')
    throw new Unavailable(new Error('The operation is held by a worker'));
}

type Stores = { readonly objects: Objects; readonly rows: Rows };

/** Lists a file, unless it is listed already. The digest of one that was sent in parts was found here. */
async function register({ rows }: Stores, { name, sha256 }: Awaited, facts: ObjectFacts): Promise<void> {
  const shown = await rows.shown(name);
  // Whoever listed it before could not know the digest.
  if (isShown(shown, facts) && (shown?.digest !== undefined || sha256 === undefined)) return;
  await rows.put(name, { ...facts, sha256: facts.sha256 ?? sha256 }, Date.now());
}

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
