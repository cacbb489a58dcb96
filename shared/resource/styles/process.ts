import type { Action } from '../actions/action.ts';
import type { Route } from '../route.ts';
import type { OnItem } from './action-endpoints.ts';

/** A transition and its actions. `check`: whether the current state allows it, without a change. */
export interface Transition {
  readonly name: string;
  readonly run: Action<'item'>;
  readonly check: Action<'item'>;
}

/** Transitions of a business process: POST on a control URI below the item. */
export function process(path: string, reader: OnItem, transitions: readonly Transition[]): Route[] {
  return transitions.map(({ name, run, check }) => ({
    path: `${path}/{id}/${name}`,
    endpoints: {
      POST: {
        id: name,
        takes: 'item',
        run,
        check,
        refusals: ['invalid-transition'],
        content: 'none',
        form: 'transition',
        reads: { takes: 'item', run: reader },
      },
    },
  }));
}
