import { currentTime } from '../../aws/clock.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/problem.ts';
import type { Caller } from '../../resource/access/owner.ts';
import type { Checkpoint, Interruption, Work } from '../../resource/actions/work.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { PlainList, ResumableList, type RunTools } from '../../resource/schedule.ts';
import { Unit } from '../../store/custom/unit.ts';
import { Forbidden } from '../../store/custom/unit-items.ts';
import { itemsOf } from '../../store/items/items.ts';
import { MAXIMUM_PARTS } from '../../store/write/limits.ts';
import { type Failure, failureShown } from '../bulk/steps.ts';
import { firstFailures } from '../record/fields.ts';
import { advance } from './advance.ts';

/** A run may take so long, in ms. Source: Specification 21.4. */
export const LONGEST_RUN = 24 * 3600 * 1000;

/** Code of an author that can go on in another invocation: that of a schedule or of a long action. */
export interface ResumableCode {
  /** The resource with its `items`; undefined: it writes nothing. */
  readonly own: Resource | undefined;
  /** The resources that it uses in addition, as the code of a resource does. */
  readonly uses: Resource['uses'];
  /** Who sees the items, and is the author of the changes. */
  readonly caller: Caller;
  /** Calls it. `unit`: the unit of work for its own writes, which commit after the code; undefined if it writes nothing. */
  readonly call: (tools: RunTools, unit: Unit | undefined) => Promise<void>;
}

/** How far a run is: in which call of `each`, and after which item or how many values. `ended`: its own writes are done. */
interface Place {
  readonly each: number;
  readonly after?: number | string;
  readonly ended?: true;
}

/** Unwinds the code of an author after an interruption. The steps so far have had their effect. */
class Stopped extends Error {}

const OVERLAP = 'One each of a run goes on at a time: await it, and read a list inside of it by for await';
const OPTIONS = 'each goes by identifiers: leave sort and limit out of its list, or read it by for await';

/** A value of a source, and its place there. `item`: reads it in a unit of work; undefined if it is to be left out. */
interface Entry {
  readonly after: number | string;
  readonly path: string;
  readonly value: (unit: Unit | undefined) => Promise<unknown>;
}

/** One run of such code. It moves the checkpoint of its operation with each item. */
export class EachRun {
  /** Why the run has to stop; undefined: it need not. */
  interrupted: Interruption | undefined;
  checkpoint: Checkpoint;
  readonly #code: ResumableCode;
  readonly #work: Work;
  #place: Place;
  #calls = 0;
  #unit: Unit | undefined;
  /** The call of `each` that has not ended. */
  #open: Promise<void> | undefined;
  /** An error in the use of `each`, also if the code catches it. After it, nothing is committed. */
  #mistake: unknown;

  constructor(code: ResumableCode, work: Work) {
    this.#code = code;
    this.#work = work;
    this.checkpoint = work.checkpoint;
    this.#place = JSON.parse(work.checkpoint.cursor ?? '{"each":0}');
  }

  /** Calls the code, and commits its own writes. @throws Error of the code, Forbidden if a rule refuses them, or Unavailable */
  async perform(): Promise<void> {
    if (this.#place.ended) return;
    for await (const _ of attempts(RETRIES.step)) {
      if ((await this.#attempt()) === 'moved') return;
      if (currentTime() > this.#work.deadline) break;
    }
    throw new Unavailable(new Error('Conflicts with other writers did not end'));
  }

  /** Returns `failed` if other writers have changed what the code read outside of `each`. @throws as `perform` */
  async #attempt(): Promise<'moved' | 'failed'> {
    this.#calls = 0;
    this.#unit = this.#newUnit();
    const tools: RunTools = {
      items: this.#unit?.items(),
      each: (source, code) => this.#each(source, code),
    };
    try {
      await this.#code.call(tools, this.#unit);
      if (this.#open) throw new Error(OVERLAP);
      if (this.#mistake) throw this.#mistake;
      const planned = this.interrupted ? undefined : await this.#unit?.plan();
      if (planned?.kind === 'refused') throw new Forbidden(planned.problem);
      if (!planned || planned.parts.length === 0) return 'moved';
      return await this.#advance({ ...this.#place, ended: true }, planned.parts);
    } catch (error) {
      // A call that the code did not await ends here, because the next run has its items.
      this.#mistake ??= error;
      await this.#open?.catch(() => undefined);
      if (!(error instanceof Stopped)) throw error;
      // The writes are committed, so no other invocation has to go on.
      if (this.#place.ended) this.interrupted = undefined;
      return 'moved';
    }
  }

  /** A unit of work; undefined if the code writes nothing. */
  #newUnit(): Unit | undefined {
    const { own, uses, caller } = this.#code;
    return own && new Unit(own, { caller, now: currentTime() }, uses);
  }

  /** Begins a call of `each`, unless another one is open: they would move one place. */
  #each(...given: Parameters<RunTools['each']>): Promise<void> {
    if (this.#open) {
      this.#mistake = new Error(OVERLAP);
      // The code may not await it.
      this.#open.catch(() => undefined);
      return Promise.reject(this.#mistake);
    }
    this.#open = this.#goThrough(...given).finally(() => {
      this.#open = undefined;
    });
    return this.#open;
  }

  async #goThrough(source: AsyncIterable<unknown>, code: Parameters<RunTools['each']>[1]): Promise<void> {
    if (source instanceof PlainList) throw new Error(OPTIONS);
    const call = this.#calls;
    this.#calls += 1;
    // An earlier run has completed it.
    if (this.#place.each > call) return;
    const { after } = this.#place.each === call ? this.#place : {};
    for await (const entry of this.#entries(source, after)) {
      if (this.interrupted) throw new Stopped();
      await this.#step(call, entry, code);
    }
  }

  /** Calls the code for one item, and again while other writers change what it has read. */
  async #step(each: number, entry: Entry, code: Parameters<RunTools['each']>[1]): Promise<void> {
    for await (const _ of attempts(RETRIES.step)) {
      const unit = this.#newUnit();
      const value = await entry.value(unit);
      if (value === undefined) return;
      const planned = await planOf(unit, () => code(value, { items: unit?.items() }));
      const failure = planned.kind === 'refused' ? { href: entry.path, problem: planned.problem } : undefined;
      const parts = planned.kind === 'refused' ? [] : planned.parts;
      if ((await this.#advance({ each, after: entry.after }, parts, failure)) === 'moved') return;
    }
    throw new Unavailable(new Error('Conflicts with other writers of an item did not end'));
  }

  /** Commits parts and the new place. @throws Stopped if the run must stop */
  async #advance(
    place: Place,
    parts: Parameters<typeof advance>[3],
    failure?: Failure,
  ): Promise<'moved' | 'failed'> {
    if (parts.length >= MAXIMUM_PARTS)
      throw new Error(
        `One item of each needs ${parts.length} parts of a transaction, of less than ${MAXIMUM_PARTS}`,
      );
    if (this.#mistake) throw this.#mistake;
    const { done, failed, failures } = this.checkpoint;
    const next: Checkpoint = {
      ...this.checkpoint,
      cursor: JSON.stringify(place),
      done: done + (failure || place.ended ? 0 : 1),
      failed: failed + (failure ? 1 : 0),
      failures: failure ? firstFailures([...failures, failureShown(this.#work, failure)]) : failures,
    };
    const result = await advance(this.#work, this.checkpoint, next, parts);
    if (result.kind === 'failed') return 'failed';
    if (result.kind === 'moved' || result.by === 'time') {
      this.checkpoint = next;
      this.#place = place;
    }
    if (result.kind === 'interrupted') {
      this.interrupted = result.by;
      throw new Stopped();
    }
    return 'moved';
  }

  /** The values of a source behind a place. */
  async *#entries(source: AsyncIterable<unknown>, after: number | string | undefined): AsyncGenerator<Entry> {
    if (!(source instanceof ResumableList)) {
      let at = 0;
      for await (const value of source) {
        at += 1;
        if (at > Number(after ?? 0)) yield { after: at, path: '', value: async () => value };
      }
      return;
    }
    const { resource, read, meets } = source;
    const { identifier } = descriptionOf(resource);
    for await (const { id } of read(after === undefined ? {} : { [`${identifier.name}.gt`]: after })) {
      const value = async (unit: Unit | undefined) => {
        const item = await this.#freshItem(resource, id, unit);
        return item && (await meets(item)) ? item : undefined;
      };
      yield { after: id, path: `/${resource.name}/${id}`, value };
    }
  }

  /** Reads an item as it is now. If the code may change it, the commit requires that it is unchanged. */
  #freshItem(resource: Resource, id: number | string, unit: Unit | undefined): Promise<Item | undefined> {
    const { own, uses, caller } = this.#code;
    const { name } = resource;
    const isWritten = own?.name === name || uses.some((use) => 'writes' in use && use.writes.name === name);
    return unit && isWritten ? unit.items().of(resource).get(Number(id)) : itemsOf(resource, caller).get(id);
  }
}

/** Calls code, and returns what its unit writes. @throws Error of the code */
async function planOf(unit: Unit | undefined, code: () => unknown): ReturnType<Unit['plan']> {
  try {
    await code();
    return (await unit?.plan()) ?? { kind: 'planned', parts: [] };
  } catch (error) {
    if (error instanceof Forbidden) return { kind: 'refused', problem: error.problem };
    throw error;
  }
}
