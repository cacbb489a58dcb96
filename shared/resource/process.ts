/**
 * A business process as facts: for each move the states it starts from and the one it leads to. A repeat of the move
 * that was just made is no error.
 */
export interface Process<State extends string = string> {
  /** The field that holds the state. */
  readonly field: string;
  readonly moves: Readonly<Record<string, { readonly from: readonly State[]; readonly to: State }>>;
}

/** The moves that a state allows, in the order of their declaration. */
export const allowedTransitions = ({ moves }: Process, state: unknown): string[] =>
  Object.keys(moves).filter((name) => moves[name]?.from.some((one) => one === state));
