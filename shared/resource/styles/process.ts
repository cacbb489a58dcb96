import type { Action } from '../actions/action.ts';
import { done } from '../actions/outcome.ts';
import type { Endpoint, Route } from '../route.ts';
import { type Details, form, list, type OnItem, read, remove } from './named-action.ts';

/** A transition and its actions. `check`: whether the current state allows it, without a change. */
export interface Transition {
  readonly name: string;
  readonly run: Action<'item'>;
  readonly check: Action<'item'>;
}

/** The actions of operations. `cancelable` reads an operation for the form that cancels it. */
export interface TrackedActions {
  readonly list: Action<'list'>;
  readonly read: OnItem;
  readonly cancelable: OnItem;
  readonly remove: OnItem;
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

/** A control URI whose POST gives the client new links to what an item waits for. `reader` reads the item. */
export const renewal = (
  path: `${string}{id}${string}`,
  reader: OnItem,
  run: OnItem,
  about: string,
): Route[] => [
  {
    path,
    endpoints: {
      POST: {
        id: 'renew',
        takes: 'item',
        run,
        refusals: ['operation-finished'],
        content: 'none',
        reads: { takes: 'item', run: reader },
        about,
      },
    },
  },
];

/** Operations: clients list them, read them and cancel them by DELETE. People cancel them by a form. */
export function tracked(
  path: string,
  actions: TrackedActions,
  { summary, ...details }: Details<TrackedActions> & Pick<Endpoint, 'summary'> = {},
): Route[] {
  const { refusals = {} } = details;
  const checkRemoval: OnItem = async (input) => {
    const outcome = await actions.cancelable(input);
    return outcome.kind === 'found' ? done : outcome;
  };
  const shown = {
    id: 'cancelable',
    takes: 'item',
    run: actions.cancelable,
    refusals: refusals.cancelable,
  } as const;
  const checks = { remove: checkRemoval };
  const removes = {
    ...remove(actions, { ...details, checks }),
    ...(summary === undefined ? {} : { summary }),
  };
  return [
    { path, endpoints: { GET: list(actions.list) } },
    { path: `${path}/{id}`, endpoints: { GET: read(actions.read), DELETE: removes } },
    form(`${path}/{id}/delete`, 'delete', shown, removes),
  ];
}
