import type { ProblemName } from '../../http/problem.ts';
import type { Action } from '../actions/action.ts';
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

/** The check and the refusals of one action of a style. */
export const factsOf = <Actions, Name extends keyof Actions>(
  { checks, refusals }: Details<Actions>,
  name: Name,
): { readonly check: Partial<Actions>[Name] | undefined; readonly refusals: Endpoint['refusals'] } => ({
  check: checks?.[name],
  refusals: refusals?.[name],
});

/** An action on the item whose integer identifier is in the path. */
export type OnItem = Action<'item'>;

/** The endpoint of GET that lists items. */
export const list = (run: Action<'list'>): Endpoint => ({
  id: 'list',
  takes: 'list',
  run,
  content: 'none',
  shape: 'list',
});

/** The endpoint of GET that reads an item. */
export const read = (run: OnItem): Endpoint => ({
  id: 'read',
  takes: 'item',
  run,
  content: 'none',
  shape: 'item',
});

/** The endpoint that removes an item. */
export const remove = (
  actions: { readonly remove: OnItem },
  details: Details<{ readonly remove: OnItem }>,
): Endpoint => ({
  id: 'remove',
  takes: 'item',
  run: actions.remove,
  ...factsOf(details, 'remove'),
  content: 'none',
});

/** A control URI: GET shows a form with the current state, POST performs its action. */
export const form = (path: string, kind: FormKind, shown: NamedAction, done: Endpoint): Route => ({
  path,
  endpoints: {
    GET: { ...shown, content: 'none', shape: 'form', form: kind },
    POST: { ...done, form: kind },
  },
});
