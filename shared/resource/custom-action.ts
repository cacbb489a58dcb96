import { type Problem, problem } from '../http/problem.ts';
import type { JsonObject } from '../json/value.ts';
import type { Caller } from './access/owner.ts';
import type { ActionItems } from './actions/capabilities.ts';
import type { CustomActionFacts } from './facts.ts';
import type { Item } from './item.ts';
import type { Resource } from './resource.ts';
import type { RunTools } from './schedule.ts';

/** What every custom action gets. `now`: ms since the epoch. */
export interface CustomActionInput {
  readonly body: JsonObject;
  readonly items: ActionItems<Resource>;
  readonly caller: Caller;
  readonly now: number;
  /** Goes through items in the runs of an operation; undefined if the action is not long. */
  readonly each?: RunTools['each'];
}

/** The refusal of a custom action. */
export interface CustomActionRefusal {
  readonly kind: 'refused';
  readonly problem: Problem<'conflict'>;
}

/** Refuses an action for a reason of its author: 409. `errors`: the causes, if the reason has several. */
export const refuse = (detail: string, errors?: Problem['errors']): CustomActionRefusal => ({
  kind: 'refused',
  problem: problem('conflict', detail, errors ? { errors } : {}),
});

/** The item to show, a refusal, or nothing. */
type Result = Item | CustomActionRefusal | undefined;

/**
 * A custom action. `run` is a function of its input and of what it reads: the service runs it again after a conflict with
 * another writer, and once more for a check before it accepts an operation. It must have no other effect than that of
 * `items`.
 */
export type CustomAction = CustomActionFacts &
  (
    | {
        readonly at: 'item';
        readonly run: (input: CustomActionInput & { readonly item: Item }) => Promise<Result> | Result;
      }
    | { readonly at: 'collection'; readonly run: (input: CustomActionInput) => Promise<Result> | Result }
  );
