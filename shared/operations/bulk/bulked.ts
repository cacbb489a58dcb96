import { problem } from '../../http/problem.ts';
import type { Action, Asked } from '../../resource/action.ts';
import { missing, type Outcome } from '../../resource/outcome.ts';
import type { Resource } from '../../resource/resource.ts';
import { Items } from '../../store/items.ts';
import { MAXIMUM_PARTS } from '../../store/transaction.ts';
import type { BulkRules } from './rules.ts';

/** The actions on one item that a lenient request repeats. */
interface Single {
  readonly create: Action;
  readonly replace: Action;
}

/** Few enough, and each by itself: the client sees the result of each at once. */
const isEach = ({ lenient, elements = [] }: Asked): boolean =>
  lenient === true && elements.length <= MAXIMUM_PARTS;

/** Loaded by the first request that works on many: few do, and every cold start would pay for it. */
const bulk = async () => (await import('#bulk')).bulk;

/** The actions on all items of a resource at once. */
export function bulked(resource: Resource, single: Single, rules: BulkRules = {}) {
  const location = `/${resource.name}`;
  return {
    createAll: async (asked: Asked): Promise<Outcome> => {
      const { createAll, each } = await bulk();
      return isEach(asked)
        ? each(resource, asked, location, single.create)
        : createAll(resource, rules, asked, location);
    },
    replaceAll: async (asked: Asked): Promise<Outcome> => {
      const { replaceAll, each } = await bulk();
      return isEach(asked)
        ? each(resource, asked, location, single.replace)
        : replaceAll(resource, rules, asked, { within: undefined, location });
    },
    removeAll: async (asked: Asked): Promise<Outcome> =>
      (await bulk()).removeAll(resource, rules, asked, undefined),
  };
}

/** The actions on all items under another resource's item: those whose `field` is the number in the path. */
export function bulkedWithin(
  resource: Resource,
  single: Single,
  rules: BulkRules,
  { parent, field, exists }: { parent: string; field: string; exists: Action },
) {
  const items = new Items(resource);
  const place = ({ parameters }: Asked) => {
    const value = parameters.id as number;
    return { within: { field, value }, location: `/${parent}s/${value}/${resource.name}` };
  };
  /** A parent that is not there is said before all else. */
  const under =
    (act: Action): Action =>
    async (asked) => {
      const found = await exists(asked);
      return found.kind === 'missing' ? found : act(asked);
    };
  return {
    [`createAll:${parent}`]: under(async (asked) => {
      const { location, within } = place(asked);
      const { createAll, each } = await bulk();
      if (isEach(asked)) return each(resource, asked, location, single.create);
      const elements = asked.elements?.map((sent) => {
        const named = sent.values[field];
        if (named === undefined || named === within.value)
          return { ...sent, values: { ...sent.values, [field]: within.value } };
        const errors = [{ pointer: `/${field}`, detail: `must be ${within.value}, or be left out` }];
        return {
          ...sent,
          problem:
            sent.problem ?? problem('conflict', `It names another ${parent} than the path`, { errors }),
        };
      });
      return createAll(resource, rules, { ...asked, elements }, location);
    }),
    [`replaceAll:${parent}`]: under(async (asked) => {
      const { location, within } = place(asked);
      const { replaceAll, each } = await bulk();
      const replace: Action = async (one) => {
        const before = await items.get(one.parameters.id as number);
        if (before?.values[field] !== within.value)
          return missing(`It is no ${resource.description?.singular} of ${parent} ${within.value}`);
        return single.replace({ ...one, values: { ...one.values, [field]: within.value } });
      };
      return isEach(asked)
        ? each(resource, asked, location, replace)
        : replaceAll(resource, rules, asked, { within, location });
    }),
    [`removeAll:${parent}`]: under(async (asked) =>
      (await bulk()).removeAll(resource, rules, asked, place(asked).within),
    ),
  };
}
