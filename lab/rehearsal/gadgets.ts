import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { invoke, type RunningRelease, type SentRequest } from './invoke.ts';
import type { Release } from './release.ts';

const COLORS = ['red', 'green', 'blue'];

/** A gadget as its clients wrote it. */
interface Gadget {
  readonly id: number;
  readonly name: string;
  readonly rank: number;
  readonly color: string;
}

/** A gadget as a release shows it. */
type Shown = Omit<Gadget, 'rank'> & { readonly rank: number | string };

const FIELDS = ['id', 'name', 'rank', 'color'] as const;

/** The gadgets of a service, as their clients know them, through all releases. */
export class Gadgets {
  readonly #known = new Map<number, Gadget>();
  #count = 0;

  /** Creates a gadget by a release, replaces the oldest one, and patches the second one. */
  async write(running: RunningRelease, release: Release): Promise<void> {
    await this.#send(running, release, 201, { method: 'POST' });
    const [oldest, second] = [...this.#known.keys()].slice(0, -1);
    if (oldest !== undefined) await this.#send(running, release, 200, { method: 'PUT', id: oldest });
    if (second !== undefined) await this.#send(running, release, 200, { method: 'PATCH', id: second });
  }

  async #send(
    running: RunningRelease,
    { shown }: Release,
    expected: number,
    sent: SentRequest,
  ): Promise<void> {
    this.#count += 1;
    const gadget = {
      name: `gadget ${100 - this.#count}`,
      rank: (this.#count * 7) % 11,
      color: COLORS[this.#count % COLORS.length] ?? '',
    };
    const json = { ...gadget, rank: shown(gadget.rank) };
    const { status, body } = await invoke(running, 'gadgets', { ...sent, json });
    strictEqual(status, expected, JSON.stringify(body));
    deepStrictEqual(shownIn(body), { id: body.id, ...json });
    this.#known.set(body.id, { id: body.id, ...gadget });
  }

  /** Checks that a release shows every gadget as its clients know it: alone, in each order, and by each filter. */
  async expectAll(running: RunningRelease, { shown }: Release): Promise<void> {
    const all = [...this.#known.values()].map((one) => ({ ...one, rank: shown(one.rank) }));
    const list = async (query: Record<string, string[]>): Promise<readonly Shown[]> => {
      const { status, body } = await invoke(running, 'gadgets', { method: 'GET', query });
      strictEqual(status, 200, JSON.stringify(body));
      return body.items.map(shownIn);
    };
    await Promise.all([
      ...all.map(async (one) => {
        const { body } = await invoke(running, 'gadgets', { method: 'GET', id: one.id });
        deepStrictEqual(shownIn(body), one);
      }),
      ...FIELDS.flatMap((field) => {
        const sorted = all.toSorted((a, b) => byValue(a[field], b[field]) || a.id - b.id);
        const value = all[0]?.[field];
        const same = all.filter((one) => one[field] === value);
        return [
          list({ sort: [field] }).then((found) => deepStrictEqual(found, sorted, `in the order of ${field}`)),
          field === 'id' ||
            list({ [field]: [String(value)] }).then((found) => deepStrictEqual(found, same, `with ${field}`)),
        ];
      }),
    ]);
  }
}

/** The declared properties of a gadget in a response. */
const shownIn = ({ id, name, rank, color }: Shown): Shown => ({ id, name, rank, color });

const byValue = (a: number | string, b: number | string): number => (a < b ? -1 : Number(a > b));
