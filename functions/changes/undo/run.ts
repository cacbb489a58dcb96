import { currentTime } from '../../../shared/aws/clock.ts';
import { config } from '../../../shared/aws/config.ts';
import { operationAtWork } from '../../../shared/aws/log.ts';
import { CONCURRENCY, mapConcurrently } from '../../../shared/concurrency/map-concurrently.ts';
import { sleep } from '../../../shared/concurrency/retry.ts';
import { runSteps, type Step } from '../../../shared/operations/bulk/steps.ts';
import { firstFailures } from '../../../shared/operations/record/fields.ts';
import type { Outcome } from '../../../shared/resource/actions/outcome.ts';
import type { Work } from '../../../shared/resource/actions/work.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { checkConstraints } from '../../../shared/store/constraints/check-constraints.ts';
import { bytesOfChange, itemsPerStep, portionsOf } from '../../../shared/store/write/fitting.ts';
import { type Effect, type Judgement, type Judging, judge } from './effect.ts';
import { type FileJudgement, judgeFile } from './files.ts';
import { bringBack, type FileIntent } from './former-files.ts';
import { type Cursor, endOfWalk, startOf } from './progress.ts';
import type { Selection } from './selection.ts';
import { type Candidate, type Place, placeAfter, readBack, walkedBy } from './walk.ts';
import { changeOf, writesOf } from './writes.ts';

/** The most rows of the log between two checkpoints. */
const MOST_ROWS = 2000;
/** The most items among which a walk after the first one looks for those that can only change together. */
const MOST_TOGETHER = 100;

/**
 * Takes the selected changes back, in steps. It goes through the log from its end, because the last change depends on those
 * before it, and through resources so that the items to which others refer come first. A walk leaves what a rule forbids to
 * the next one. Each step reads the items anew, so a repeated run finds what earlier ones have done.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers continue
 */
export async function runUndo(
  registry: readonly Resource[],
  selection: Selection,
  work: Work,
): Promise<Outcome> {
  await sleep(Math.max(0, work.acceptedAt + config.logTime() - currentTime()));
  const walked = walkedBy(selection, registry);
  const begun = { ...work.checkpoint, total: undefined };
  const outcome = await operationAtWork.run({ operation: work.operationId, isUndo: true }, () =>
    runSteps(work, begun, ({ cursor }, _failed, most) => {
      const present: Cursor =
        cursor === undefined ? startOf(selection, registry, walked) : JSON.parse(cursor);
      return nextStep(present, { selection, walked, work, most });
    }),
  );
  if (outcome.kind !== 'completed') return outcome;
  const { restored, removed, unchanged, skipped }: Cursor = outcome.checkpoint.cursor
    ? JSON.parse(outcome.checkpoint.cursor)
    : startOf(selection, registry, walked);
  return { ...outcome, report: { restored, removed, unchanged, skipped: [...skipped] } };
}

interface Running {
  readonly selection: Selection;
  readonly walked: readonly Resource[];
  readonly work: Work;
  readonly most: number;
}

async function nextStep(cursor: Cursor, running: Running): Promise<Step | undefined> {
  const { place, files } = cursor;
  if (files) return filesStep(files, cursor, running);
  return place && stepAt(place, cursor, running);
}

/** Makes the step that brings files back. A repeated run finds them changed, and counts them as the checkpoint says. */
async function filesStep(
  intents: readonly FileIntent[],
  { files: _, ...cursor }: Cursor,
  { selection, walked }: Running,
): Promise<Step> {
  const resource = walked.find((one) => !one.history);
  if (!resource) throw new Error('The service has no files any more');
  const reasons = await mapConcurrently(CONCURRENCY.files, intents, (one) =>
    bringBack(resource, one, selection.caller),
  );
  const left = intents.flatMap(({ name: id }, at) => {
    const reason = reasons[at];
    return reason === undefined ? [] : [{ resource: resource.name, id, reason }];
  });
  const changed = intents.filter((_one, at) => reasons[at] === undefined);
  const restored = changed.filter(({ to }) => to).length;
  const after: Cursor = {
    ...cursor,
    restored: cursor.restored + restored,
    removed: cursor.removed + changed.length - restored,
    skipped: firstFailures([...cursor.skipped, ...left]),
  };
  return {
    parts: [],
    done: changed.length,
    failures: [],
    skipped: left.length,
    cursor: JSON.stringify(after),
  };
}

/**
 * Makes the step at a place: it passes changes of a resource until one transaction is full, also across many changes. Items
 * that have exchanged values can only change together, so what does not fill a transaction waits in the cursor.
 */
async function stepAt(from: Place, { held = [], ...cursor }: Cursor, running: Running): Promise<Step> {
  const { selection, walked, work, most } = running;
  const now = currentTime();
  let place: Place | undefined = from;
  const judging: Judging = { selection, undo: work.operationId, now, firsts: new Map() };
  let waiting = held;
  let judged: readonly Judged[] = [];
  for (let rows = 0; place && rows < MOST_ROWS; ) {
    const at: Place = place;
    const resource = walked.find(({ name }) => name === at.resource);
    // A rule of other items keeps no file from returning, so the first walk is enough.
    if (!resource || (!resource.history && cursor.walk > 0)) {
      place = placeAfter(at, walked);
      continue;
    }
    const limit = Math.max(1, Math.min(itemsPerStep(resource, 'removal'), most));
    const { candidates, below } = await readBack(resource, at, { selection, limit });
    rows += limit;
    place = below === undefined ? placeAfter(at, walked) : { ...at, below };
    judged = [...judged, ...(await judgements(resource, [...waiting, ...candidates], judging, cursor))];
    waiting = [];
    const looksFurther = cursor.walk > 0 && !cursor.isLast;
    const enough = looksFurther ? Math.max(limit, MOST_TOGETHER) : limit;
    if (judged.length === 0 || (judged.length < enough && place?.resource === resource.name)) continue;
    const some = looksFurther && judged.length > limit ? await agreeing(resource, judged, limit) : [];
    if (some.length > 0) {
      const waits = cursor.waiting + judged.length - some.length;
      return made(resource, some, { ...cursor, place, waiting: waits }, { ...running, now });
    }
    const [portion = []] = portionsOf(judged, limit, ({ judgement }) =>
      judgement.kind === 'effect' ? bytesOfChange(resource, changeOf(judgement)) : 0,
    );
    const last = portion.length < judged.length ? portion.at(-1)?.candidate : undefined;
    if (last) place = { resource: resource.name, partition: last.partition, below: last.position };
    return made(
      resource,
      portion.map(({ judgement }) => judgement),
      { ...cursor, place },
      { ...running, now },
    );
  }
  const next = { ...cursor, place, held: judged.map(({ candidate }) => candidate) };
  return {
    parts: [],
    done: 0,
    failures: [],
    cursor: JSON.stringify(place ? next : endOfWalk(cursor, walked, work)),
  };
}

/** Returns changes that the rules allow together, and that one transaction holds: of several groups, the last ones. */
async function agreeing(
  resource: Resource,
  judged: readonly Judged[],
  limit: number,
): Promise<readonly Effect[]> {
  const allowed = async (some: readonly Effect[]) => {
    const { refusals } = await checkConstraints(resource, some.map(changeOf));
    return some.filter((_, at) => !refusals.has(at));
  };
  let some = await allowed(judged.flatMap(({ judgement: one }) => (one.kind === 'effect' ? [one] : [])));
  // Without one of them, its group is not allowed either.
  while (portionsOf(some, limit, (one) => bytesOfChange(resource, changeOf(one))).length > 1)
    some = await allowed(some.slice(1));
  return some;
}

interface Judged {
  readonly judgement: Judgement | FileJudgement;
  readonly candidate: Candidate;
}

/** Judges the items of some changes. Of several changes of an item, the first selected one counts. */
async function judgements(
  resource: Resource,
  candidates: readonly Candidate[],
  judging: Judging,
  { walk }: Pick<Cursor, 'walk'>,
): Promise<readonly Judged[]> {
  const all = await mapConcurrently(CONCURRENCY.items, candidates, async (candidate) => {
    const judgement = await (resource.history ? judge : judgeFile)(resource, candidate, judging);
    // The first walk has counted what no other change can alter.
    const isCounted =
      walk > 0 && (judgement?.kind === 'unchanged' || (judgement?.kind === 'skipped' && !judgement.waits));
    return judgement && !isCounted ? [{ judgement, candidate }] : [];
  });
  return all.flat();
}

/** Makes the step with these judgements. `cursor`: before it, at the place after it. */
async function made(
  resource: Resource,
  all: readonly (Judgement | FileJudgement)[],
  cursor: Cursor,
  running: Running & { readonly now: number },
): Promise<Step> {
  const { selection, walked, now } = running;
  const effects = all.filter((one): one is Effect => one.kind === 'effect');
  const intents = all.flatMap((one) => (one.kind === 'file' ? [fileIntent(one)] : []));
  const { parts, refusals } = await writesOf(resource, effects, { caller: selection.caller, now });
  const written = effects.filter((_, at) => !refusals.has(at));
  const forbidden = effects.flatMap(({ id }, at) => {
    const problem = refusals.get(at);
    return problem ? [{ id, reason: problem.detail }] : [];
  });
  const refused = [...all.flatMap((one) => (one.kind === 'skipped' && one.waits ? [one] : [])), ...forbidden];
  const left = [
    ...all.flatMap((one) => (one.kind === 'skipped' && !one.waits ? [one] : [])),
    ...(cursor.isLast ? refused : []),
  ].map(({ id, reason }) => ({ resource: resource.name, id, reason }));
  const removed = written.filter(({ change }) => change === 'removed').length;
  const unchanged = all.filter(({ kind }) => kind === 'unchanged').length;
  const after: Cursor = {
    ...cursor,
    moved: cursor.moved + written.length,
    waiting: cursor.waiting + refused.length,
    restored: cursor.restored + written.length - removed,
    removed: cursor.removed + removed,
    unchanged: cursor.unchanged + unchanged,
    skipped: firstFailures([...cursor.skipped, ...left]),
    ...(intents.length > 0 ? { files: intents } : {}),
  };
  const [first] = written;
  return {
    parts,
    done: written.length + unchanged,
    first: first && `/${resource.name}/${first.id}`,
    failures: [],
    skipped: left.length,
    cursor: JSON.stringify(cursor.place ? after : endOfWalk(after, walked, running.work)),
  };
}

const fileIntent = ({ name, from, to }: FileIntent): FileIntent => ({ name, from, to });
