import { currentTime } from '../../aws/clock.ts';
import { type Problem, problem, Unavailable } from '../../http/problem.ts';
import { finish, type Holder, NO_LEASE } from '../../operations/running/finish.ts';
import { countPart, type Waiting, waitingFor } from '../../operations/running/part-tracker.ts';
import type { Resource } from '../../resource/resource.ts';
import { FileListing } from '../listing.ts';
import { type ObjectFacts, Objects } from '../objects.ts';
import { reconcileRow, rowMatches } from '../reconcile-row.ts';
import { endOf, failureOf, pathOf } from './end.ts';
import { abandonCopy } from './multipart.ts';
import { publish } from './publish.ts';
import {
  type Awaited,
  type Awaiting,
  FILES,
  fromStoredCondition,
  isMadeOf,
  STAGED,
  sentTo,
} from './record.ts';
import { verify } from './verify.ts';

/**
 * Handles an upload that has arrived. It verifies the upload against its manifest, publishes it as a file, and counts
 * it in the operation. Finally it removes the upload, also if no operation waits for it. A repeated run detects the
 * steps that are done. After a crash, the next notification therefore completes the work. A notification may be
 * repeated, late or out of order.
 *
 * @throws Unavailable when S3 or DynamoDB does not respond, or the deadline is over
 */
export async function arrivedAt(
  resource: Resource,
  key: string,
  { storedAt, deadline, holder = NO_LEASE }: Arriving,
): Promise<void> {
  const sent = sentTo(key);
  if (!sent) return;
  const { operation, at } = sent;
  const staged = new Objects(STAGED);
  for (;;) {
    const facts = await staged.head(key);
    if (!facts) return;
    const waiting = await waitingFor(operation);
    const isOver =
      !waiting ||
      (await work(resource, {
        staged,
        waiting,
        key,
        operation,
        at,
        facts,
        time: storedAt ?? facts.lastModified,
        deadline,
        holder,
      }));
    // If another upload replaced this one meanwhile, the loop handles that one, or its own notification does.
    if (isOver && (await staged.remove(key, facts.etag)) === 'removed') return;
  }
}

/** Times in ms since the epoch. */
export interface Arriving {
  /** The time of the notification: when S3 stored the object. */
  readonly storedAt?: number | undefined;
  /** The end of this run. */
  readonly deadline: number;
  /** The lease under which the last file ends the operation. By default, it ends only if no worker holds a lease. */
  readonly holder?: Holder;
}

interface ArrivedFile extends Required<Pick<Arriving, 'deadline' | 'holder'>> {
  readonly staged: Objects;
  readonly waiting: Waiting;
  readonly key: string;
  readonly operation: number;
  readonly at: number;
  readonly facts: ObjectFacts;
  readonly time: number;
}

/** Returns true if the upload is no longer needed, and false if it changed meanwhile. */
async function work(resource: Resource, sent: ArrivedFile): Promise<boolean> {
  const { waiting, operation, at } = sent;
  const { origin, input, settled } = waiting;
  const awaiting: Awaiting = JSON.parse(input);
  const file = awaiting.files[at];
  if (!file) return true;
  const result: UploadResult = settled.has(at)
    ? { kind: 'new' }
    : await verifyAndPublish(resource, sent, file, awaiting);
  if (result.kind === 'changed') return false;
  const after = await countPart(
    operation,
    at,
    'problem' in result
      ? { kind: result.kind, failure: failureOf(pathOf(resource.name, file.name), result.problem, origin) }
      : result,
  );
  await abandonCopy(new Objects(FILES), file);
  const end = after && endOf(resource.name, awaiting.files, origin, after);
  // A worker may hold the lease for a moment.
  if (end && !(await finish(operation, end, sent.holder)) && (await waitingFor(operation)))
    throw new Unavailable(new Error('A worker holds the lease of the operation'));
  return true;
}

/**
 * The result of an upload. `changed`: another upload replaced it, or the operation ended. `stale`: the precondition of
 * the request did not hold any more.
 */
type UploadResult =
  | { readonly kind: 'new' | 'replaced' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed' | 'stale'; readonly problem: Problem };

/** Verifies, publishes and lists the upload. Refuses if the upload is not valid or the precondition fails. */
async function verifyAndPublish(
  resource: Resource,
  { staged, waiting, key, operation, at, facts, time, deadline }: ArrivedFile,
  file: Awaited,
  awaiting: Awaiting,
): Promise<UploadResult> {
  const stores = { objects: new Objects(FILES), rows: new FileListing(resource) };
  const verification = await verify(staged, key, facts, file, deadline);
  if (verification.kind === 'gone') return { kind: 'changed' };
  if (verification.kind === 'invalid')
    return { kind: 'failed', problem: problem('validation-error', verification.detail) };
  const isWanted = async () => (await waitingFor(operation)) !== undefined;
  const { etag } = facts;
  const published = await publish(
    { staged, files: stores.objects },
    {
      operation,
      at,
      etag,
      time,
      file,
      expected: fromStoredCondition(awaiting.expected),
      isWanted,
      deadline,
    },
  );
  if (published === 'changed') return { kind: 'changed' };
  if (published === 'lost') {
    const detail =
      'The file changed, so the precondition of the request does not hold any more. Read the file, then announce the upload again';
    return { kind: 'stale', problem: problem('precondition-failed', detail) };
  }
  const listed = await list(stores, file, waiting.owner, (found) => isMadeOf(found, operation, at));
  return { kind: published === 'before' ? listed : published };
}

/**
 * Writes the listing row of a file unless the row is complete. S3 has no digest of an upload in parts, so the
 * verified digest of the manifest is used. Returns 'replaced' if the row is older than the bytes. S3 gives their time
 * in seconds.
 */
async function list(
  { objects, rows }: { readonly objects: Objects; readonly rows: FileListing },
  { name, sha256 }: Awaited,
  owner: string | undefined,
  isOurs: (facts: ObjectFacts | undefined) => boolean,
): Promise<'new' | 'replaced'> {
  const [facts, shown] = await Promise.all([objects.head(name), rows.shown(name)]);
  // An earlier run or a repair may have written the row without the digest.
  const isListed = rowMatches(shown, facts) && (shown?.digest !== undefined || sha256 === undefined);
  if (facts && isOurs(facts) && !isListed)
    await rows.put(name, { ...facts, sha256: facts.sha256 ?? sha256 }, currentTime(), owner);
  const listed = await rows.shown(name);
  await reconcileRow({ objects, rows }, name, listed, currentTime());
  return listed && facts && listed.createdAt < facts.lastModified ? 'replaced' : 'new';
}
