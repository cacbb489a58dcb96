import type { ProblemName } from '../../http/problem.ts';
import { type Action, type ActionInput, needing } from '../actions/action.ts';
import type { FormKind } from '../facts.ts';
import type { Endpoint, NamedAction, Route } from '../route.ts';

/**
 * The facts about the actions of a style for the flow and the description, by their names.
 *
 * Source: Specification C.14 to C.17, 1.2, 1.3 (the styles).
 */
export interface Details<Actions> {
  /** Finds the present refusal of an action, without an effect. The flow calls it before it accepts an operation. */
  readonly checks?: Partial<Actions>;
  /** Problems that an action can return, in addition to those of the flow. */
  readonly refusals?: Readonly<Partial<Record<keyof Actions, readonly ProblemName[]>>>;
}

/** An action on the item whose integer identifier is in the path. */
export type OnItem = Action<'id'>;

/** An action under its name. `keys`: the properties of the input that the path and the content supply. */
export const named = <Key extends keyof ActionInput>(
  id: string,
  keys: readonly Key[],
  run: Action<Key>,
  check?: Action<Key>,
  refusals?: readonly ProblemName[],
): NamedAction => ({
  id,
  run: needing(keys, run),
  ...(check ? { check: needing(keys, check) } : {}),
  ...(refusals ? { refusals } : {}),
});

/** The endpoint of GET that lists items. */
export const list = (run: Action<'page'>): Endpoint => ({
  ...named('list', ['page'], run),
  content: 'none',
  shape: 'list',
});

/** The endpoint of GET that reads an item. */
export const read = (run: OnItem): Endpoint => ({
  ...named('read', ['id'], run),
  content: 'none',
  shape: 'item',
});

/** The endpoint that removes an item. */
export const remove = (
  actions: { readonly remove: OnItem },
  { checks = {}, refusals = {} }: Details<{ readonly remove: OnItem }>,
): Endpoint => ({
  ...named('remove', ['id'], actions.remove, checks.remove, refusals.remove),
  content: 'none',
});

/** A control URI: GET shows a form with the current state, POST performs its action. */
export const form = (path: string, kind: FormKind, shown: NamedAction, done: Endpoint): Route => ({
  path,
  endpoints: {
    GET: { ...shown, run: withoutBytes(shown.run), content: 'none', shape: 'form', form: kind },
    POST: { reads: shown.run, ...done, form: kind },
  },
});

/** A form about bytes has no values: it needs only their version. */
const withoutBytes =
  (run: Action): Action =>
  async (input) => {
    const outcome = await run(input);
    if (outcome.kind !== 'found' || outcome.state.kind !== 'bytes') return outcome;
    return { ...outcome, state: { kind: 'emptyForm', version: outcome.state.bytes.etag } };
  };
