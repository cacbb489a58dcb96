/** One operation of a client, from its request to its response, in one clock. */
export interface Deed<Input, Output> {
  readonly asked: number;
  /** Infinity if it is unknown whether the operation had its effect. */
  readonly answered: number;
  readonly input: Input;
  /** Absent without a response. */
  readonly output?: Output;
}

/** A sequential model of an item. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  /** The state after an operation with this response, or undefined if this state does not allow the response. */
  after(state: State, input: Input, output: Output | undefined): State | undefined;
  /** A key that distinguishes states. */
  key(state: State): string;
}

/**
 * Searches for an order of all operations in which each response is right, and no operation precedes one that had a
 * response before its request. An operation without a response may take effect at any time after its request, or
 * never. Returns undefined if there is such an order, and the longest order found otherwise. Source: Wing and Gong,
 * "Testing and Verifying Concurrent Objects" (1993), with the memory of Lowe, "Testing for linearizability" (2017).
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
      // Another operation had its response before this request: it comes first.
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
