/** One thing that a client did, from when it was asked to when it was answered, in one clock. */
export interface Deed<Input, Output> {
  readonly asked: number;
  /** Infinity: nobody knows whether it was done. */
  readonly answered: number;
  readonly input: Input;
  /** Absent where there was no answer. */
  readonly output?: Output;
}

/** What a thing does when one deed comes after another. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /** The state after a deed with this answer; undefined: no such answer can be given in this state. */
  after(state: State, input: Input, output: Output | undefined): State | undefined;
  /** Tells states apart. */
  key(state: State): string;
}

/**
 * Whether there is an order of all deeds in which each answer is right, and in which nothing comes before what had been
 * answered when it was asked. What was never answered may have been done at any time after it was asked, or not at all.
 * Answers undefined if there is, else the longest order that was found.
 *
 * Source: Wing and Gong, "Testing and Verifying Concurrent Objects" (1993), with the memory of Lowe, "Testing for
 * linearizability" (2017).
 */
export function contradiction<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Deed<Input, Output>[],
): readonly Deed<Input, Output>[] | undefined {
  const seen = new Set<string>();
  const order: Deed<Input, Output>[] = [];
  let longest: readonly Deed<Input, Output>[] = [];
  const all = [...history].sort((a, b) => a.asked - b.asked);

  function search(done: bigint, state: State): boolean {
    const left = all.flatMap((deed, at) => (done & (1n << BigInt(at)) ? [] : [{ deed, at }]));
    if (left.every(({ deed }) => deed.answered === Number.POSITIVE_INFINITY)) return true;
    if (order.length > longest.length) longest = [...order];
    const first = Math.min(...left.map(({ deed }) => deed.answered));
    for (const { deed, at } of left) {
      // Something had been answered before this was asked: it comes first.
      if (deed.asked > first) break;
      const next = model.after(state, deed.input, deed.output);
      if (next === undefined) continue;
      const then = done | (1n << BigInt(at));
      const name = `${then} ${model.key(next)}`;
      if (seen.has(name)) continue;
      seen.add(name);
      order.push(deed);
      if (search(then, next)) return true;
      order.pop();
    }
    return false;
  }

  return search(0n, model.initial) ? undefined : longest;
}
