import { type Problem, problem } from '../../http/problem.ts';
import { Unavailable } from '../../http/unavailable.ts';
import { finish, type Holder } from '../../operations/finish.ts';
import { countPart, type Waiting, waitingFor } from '../../operations/part-tracker.ts';
import type { Resource } from '../../resource/resource.ts';
import { FileListing } from '../listing.ts';
import { type ObjectFacts, Objects } from '../objects.ts';
import { reconcileRow, rowMatches } from '../reconcile-row.ts';
import { endOf, failureOf, OVERTAKEN, pathOf } from './end.ts';
import { abandonCopy } from './multipart.ts';
import { publish } from './publish.ts';
import { type Awaited, type Awaiting, FILES, isMadeOf, STAGED, sentTo } from './record.ts';
import { faultOf } from './verify.ts';

/**
 * Makes a file of what was sent for an operation, once it is what was announced, and moves the operation on; then, and
 * where nobody waits for it, what was sent is removed. Each step is known to be done when all is repeated, and what was
 * sent goes last: a crash anywhere is mended by being told again. Harmless to be told twice, late or in another order.
 *
 * @throws Unavailable when S3 or DynamoDB does not answer, or the deadline is over
 */
export async function arrivedAt(
  resource: Resource,
  key: string,
  { told, deadline, holder = 'nobody' }: Arriving,
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
      typeof waiting === 'string' ||
      (await work(resource, {
        staged,
        waiting,
        key,
        operation,
        at,
        facts,
        time: told ?? facts.lastModified,
        deadline,
        holder,
      }));
    // Another one that came to its place meanwhile is told of by itself, or looked at here.
    if (isOver && (await staged.remove(key, facts.etag)) === 'removed') return;
  }
}

/** Times in ms since the epoch. */
export interface Arriving {
  /** When S3 says that the object came. */
  readonly told?: number | undefined;
  /** When this run has to be done. */
  readonly deadline: number;
  /** Who ends the operation, if this was the last file: the holder of its lease, else anyone while nobody holds it. */
  readonly holder?: Holder;
}

interface Sent extends Required<Pick<Arriving, 'deadline' | 'holder'>> {
  readonly staged: Objects;
  readonly waiting: Waiting;
  readonly key: string;
  readonly operation: number;
  readonly at: number;
  readonly facts: ObjectFacts;
  readonly time: number;
}

/** Answers whether what was sent is of no use any more; otherwise it changed meanwhile. */
async function work(resource: Resource, sent: Sent): Promise<boolean> {
  const { waiting, operation, at } = sent;
  const { origin, input, settled } = waiting;
  const awaiting = JSON.parse(input) as Awaiting;
  const file = awaiting.files[at];
  if (!file) return true;
  const became = settled.has(at) ? 'new' : await becameOf(resource, sent, file, awaiting);
  if (became === 'changed') return false;
  const arrival =
    typeof became === 'string'
      ? became
      : { failure: failureOf(pathOf(resource.name, file.name), became, origin) };
  const after = await countPart(operation, at, arrival);
  await abandonCopy(new Objects(FILES), file);
  const end = after && endOf(resource.name, awaiting.files, origin, after);
  // A worker may hold it for a moment.
  if (
    end &&
    !(await finish(operation, end, sent.holder)) &&
    typeof (await waitingFor(operation)) !== 'string'
  )
    throw new Unavailable(new Error('The operation is held by a worker'));
  return true;
}

/** Verifies what was sent and makes it the file, listed: a new one, or in the place of one; else what is wrong with it. */
async function becameOf(
  resource: Resource,
  { staged, key, operation, at, facts, time, deadline }: Sent,
  file: Awaited,
  { expected }: Awaiting,
): Promise<'new' | 'replaced' | 'changed' | Problem> {
  const stores = { objects: new Objects(FILES), rows: new FileListing(resource) };
  const fault = await faultOf(staged, key, facts, file);
  if (fault === 'gone') return 'changed';
  if (fault !== undefined) return problem('validation-error', fault);
  const isWanted = async () => typeof (await waitingFor(operation)) !== 'string';
  const { etag } = facts;
  const published = await publish(
    { staged, files: stores.objects },
    { operation, at, etag, time, file, expected, isWanted, deadline },
  );
  if (published === 'changed') return 'changed';
  if (published === 'lost') {
    return problem(OVERTAKEN, 'The file is not as the request expected it any more');
  }
  const listed = await list(stores, file, (found) => isMadeOf(found, operation, at));
  return published === 'before' ? listed : published;
}

/**
 * Lists a file, unless it is listed already. The digest of one that was sent in parts was found here. Answers whether the
 * name was listed before these bytes were stored, as far as the seconds tell that S3 counts.
 */
async function list(
  { objects, rows }: { readonly objects: Objects; readonly rows: FileListing },
  { name, sha256 }: Awaited,
  isOurs: (facts: ObjectFacts | undefined) => boolean,
): Promise<'new' | 'replaced'> {
  const [facts, shown] = await Promise.all([objects.head(name), rows.shown(name)]);
  // Whoever listed it before could not know the digest.
  const isListed = rowMatches(shown, facts) && (shown?.digest !== undefined || sha256 === undefined);
  if (facts && isOurs(facts) && !isListed)
    await rows.put(name, { ...facts, sha256: facts.sha256 ?? sha256 }, Date.now());
  const listed = await rows.shown(name);
  await reconcileRow({ objects, rows }, name, listed, Date.now());
  return listed && facts && listed.createdAt < facts.lastModified ? 'replaced' : 'new';
}
