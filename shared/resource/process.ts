import type { Action } from './actions/action.ts';

/**
 * A business process: for each transition, the states that allow it and the state after it. A client may repeat the
 * last transition. Source: Specification 8.1, 8.2.
 */
export interface Process<State extends string = string> {
  /** The field that holds the state. */
  readonly field: string;
  readonly transitions: Readonly<Record<string, { readonly from: readonly State[]; readonly to: State }>>;
}

/** The transitions that a state allows, in the order of their declaration. */
export const allowedTransitions = ({ transitions }: Process, state: unknown): string[] =>
  Object.keys(transitions).filter((name) => transitions[name]?.from.some((one) => one === state));

/** A transition and its actions. `check`: whether the current state allows it, without a change. */
export interface Transition {
  readonly name: string;
  readonly run: Action<'id'>;
  readonly check: Action<'id'>;
}
