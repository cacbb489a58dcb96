/** Erases the items and the traces of a person. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../../../shared/concurrency/retry.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { UserError } from '../../user-error.ts';
import { Checkpoint } from '../checkpoint.ts';
import { resourcesNamed } from '../place.ts';
import { eraseHistory, eraseItem } from './items.ts';
import { belongings, type Erased } from './subject.ts';
import { eraseAnswers, eraseOperations } from './traces.ts';

/** An index is up to date after this time, in ms. */
const SETTLED = 2000;

/** The items that an erasure has found so far. The first one is the subject. */
interface State {
  readonly items: readonly Erased[];
}

const isState = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items);

/** The data to erase. Without `confirmed`, the command only says what it would erase. */
interface Erasure {
  readonly directory: string;
  /** The name of the resource and the identifier of the item. */
  readonly subject: readonly string[];
  readonly confirmed: boolean;
}

/**
 * Erases an item with all items that belong to it, their bytes in every version, the recorded answers and the
 * operations that name them. Reports the copies that it cannot reach. A killed erasure continues if you repeat it: the
 * directory has the identifiers of the items that it found. Returns the number of operations that have not ended.
 *
 * @throws UserError if there is no such resource, or the identifier does not fit it
 */
export async function erase(
  { directory, subject: [name = '', id = ''], confirmed }: Erasure,
  report: (line: string) => void,
): Promise<number> {
  const subject = itemNamed(name, id);
  if (!confirmed) {
    const items = [subject, ...(await belongings(subject))];
    report(`Would erase ${items.map(nameOf).join(', ')}. Nothing has changed: add --confirm to erase them.`);
    return 0;
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const checkpoint = new Checkpoint<State>(join(directory, `erase-${name}-${encodeURIComponent(id)}.json`));
  let { items } = checkpoint.read(isState) ?? { items: [subject] };
  // The subject goes first: no new item can then belong to it.
  for (let next = items; next.length > 0; items = [...items, ...next]) {
    for (const one of next) await eraseItem(resourceOf(one), one.id);
    await sleep(SETTLED);
    const known = new Set(items.map(nameOf));
    next = (await belongings(subject)).filter((one) => !known.has(nameOf(one)));
    checkpoint.save({ items: [...items, ...next] });
  }
  // The stream may have brought a version until now.
  for (const one of items) await eraseHistory(resourceOf(one), one.id);
  const answers = await eraseAnswers(items);
  const { removed, running } = await eraseOperations(items);
  report(`Erased ${items.map(nameOf).join(', ')}, ${answers} recorded answers, ${removed} operations.`);
  for (const { where, until } of unreachable()) report(`Not reached: ${where}, until ${until}`);
  if (running > 0) report(`${running} operations have not ended: repeat the command when they have.`);
  return running;
}

const nameOf = ({ resource, id }: Erased): string => `${resource}/${id}`;

const resourceOf = ({ resource }: Erased): Resource => resourcesNamed([resource])[0] as Resource;

function itemNamed(resource: string, id: string): Erased {
  const identifier = resourcesNamed([resource])[0]?.description?.identifier;
  if (identifier?.kind !== 'integer') return { resource, id };
  if (!/^[0-9]{1,16}$/.test(id)) throw new UserError(`${resource} have numbers as identifiers, not '${id}'`);
  return { resource, id: Number(id) };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A copy that an erasure cannot reach, and when it ends. */
interface Copy {
  readonly where: string;
  readonly until: string;
}

/**
 * Returns the copies that remain after an erasure. The service's logs contain no values of items, so the list leaves
 * them out.
 *
 * Source: Amazon DynamoDB Developer Guide, "Point-in-time recovery", "Change data capture for DynamoDB Streams".
 */
function unreachable(): readonly Copy[] {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  return [
    { where: 'the streams of the tables', until: day(1) },
    { where: 'point-in-time recovery of the tables, and tables that you restore from it', until: day(35) },
    { where: 'the archive of events, if the deployment has one', until: 'eventArchiveDays after each event' },
    { where: 'consumers of the events, until they obey the event of the removal', until: 'unknown' },
    { where: 'your exports and backups', until: 'you delete them' },
  ];
}
