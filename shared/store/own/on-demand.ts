import type { Call, Calls, OwnBody } from '../../resource/actions/action.ts';
import type { OwnAction } from '../../resource/actions/own.ts';
import type { Resource } from '../../resource/resource.ts';
import type { OwnEndpoint } from '../../resource/styles/own-action.ts';

/** Loads the code of units of work with the first own action, because few resources have one. */
const load = () => import('#own-actions');

/** The own actions of a resource. Source: docs/decisions/0067-own-actions.md. */
export const inUnits = (resource: Resource, actions: readonly OwnAction[]): OwnEndpoint[] =>
  actions.map((action) => {
    if (action.at === 'collection') {
      const find = async () => (await load()).performOnList(resource, action);
      return {
        ...action,
        run: async (input: Call & OwnBody) => (await find()).run(input),
        check: async (input: Call & OwnBody) => (await find()).check(input),
      };
    }
    const find = async () => (await load()).performOnItem(resource, action);
    return {
      ...action,
      run: async (input: Calls['ownOfItem']) => (await find()).run(input),
      check: async (input: Calls['ownOfItem']) => (await find()).check(input),
    };
  });
