import { problem } from '../../http/problem.ts';
import type { Action, ActionInput, Actions, SentItem } from '../../resource/action.ts';
import { done, missing, type Outcome, refused } from '../../resource/outcome.ts';
import type { Resource } from '../../resource/resource.ts';
import { Items } from '../../store/items/items.ts';
import { MAXIMUM_PARTS } from '../../store/write/transaction.ts';
import { createAll, creationFaults } from './create-all.ts';
import { each } from './each.ts';
import { removeAll } from './remove-all.ts';
import { replaceAll, replacementFaults } from './replace-all.ts';
import type { BulkRules, Scope } from './rules.ts';

/** The actions on one item that a lenient request repeats. */
export interface Single {
  readonly create: Action;
  readonly replace: Action;
}

/** What the items stand under: its name, the field with its number, and what tells whether it is there. */
export interface Parent {
  readonly parent: string;
  readonly field: string;
  readonly exists: Action;
}

/**
 * Few enough, and each by itself: the client sees the result of each at once. An operation does them in steps, as what
 * was done may not be done again.
 */
const isEach = ({ lenient, elements = [], work }: ActionInput): boolean =>
  lenient === true && elements.length <= MAXIMUM_PARTS && !work;

/** The actions on all items of a resource at once. */
export function bulkActions(resource: Resource, single: Single, rules: BulkRules = {}) {
  const location = `/${resource.name}`;
  return {
    createAll: (asked: ActionInput): Promise<Outcome> =>
      isEach(asked)
        ? each(resource, asked, location, single.create)
        : createAll(resource, rules, asked, location),
    replaceAll: (asked: ActionInput): Promise<Outcome> =>
      isEach(asked)
        ? each(resource, asked, location, single.replace)
        : replaceAll(resource, rules, asked, { within: undefined, location }),
    removeAll: (asked: ActionInput): Promise<Outcome> => removeAll(resource, rules, asked, undefined),
  };
}

/** More elements than this are checked by the operation alone, because a request has no time to read them all. */
const CHECKED_ELEMENTS = MAXIMUM_PARTS;

const isChecked = ({ lenient, elements = [] }: ActionInput): boolean =>
  lenient !== true && elements.length <= CHECKED_ELEMENTS;

/** What the actions on several items would refuse now. `scope`: the parent of the items; undefined: they have none. */
export const bulkChecks = (
  resource: Resource,
  rules: BulkRules,
  scopeOf: (asked: ActionInput) => Scope = () => undefined,
) => ({
  createAll: async (asked: ActionInput): Promise<Outcome> => {
    const scope = scopeOf(asked);
    const elements = scope ? inScope(asked, scope) : asked.elements;
    return (isChecked(asked) && (await creationFaults(rules, { ...asked, elements }))) || done;
  },
  replaceAll: async (asked: ActionInput): Promise<Outcome> =>
    (isChecked(asked) && (await replacementFaults(resource, rules, asked, scopeOf(asked)))) || done,
});

/** The elements with their parent; an element that names another parent is refused. */
const inScope = ({ elements }: ActionInput, { field, value }: NonNullable<Scope>): SentItem[] | undefined =>
  elements?.map((sent) => {
    const named = sent.values[field];
    if (named === undefined || named === value)
      return { ...sent, values: { ...sent.values, [field]: value } };
    const errors = [{ pointer: `/${field}`, detail: `must be ${value}, or be left out` }];
    const other = problem('conflict', `It names another ${field.replace(/Id$/, '')} than the path`, {
      errors,
    });
    return { ...sent, problem: sent.problem ?? other };
  });

/** The actions on all items under another resource's item: those whose `field` is the number in the path. */
export function nestedBulkActions(
  resource: Resource,
  single: Single,
  rules: BulkRules,
  { parent, field, exists }: Parent,
): Actions {
  const items = new Items(resource);
  const place = ({ parameters }: ActionInput) => {
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
    [`createAll:${parent}`]: under((asked) => {
      const { location, within } = place(asked);
      if (isEach(asked)) return each(resource, asked, location, single.create);
      const elements = inScope(asked, within);
      return createAll(resource, rules, { ...asked, elements }, location);
    }),
    [`replaceAll:${parent}`]: under((asked) => {
      const { location, within } = place(asked);
      const replace: Action = async (one) => {
        const before = await items.get(one.parameters.id as number);
        if (before?.values[field] !== within.value)
          return missing(`It is no ${resource.description?.singular} of ${parent} ${within.value}`);
        const named = one.values?.[field];
        if (named !== undefined && named !== within.value) {
          const errors = [{ pointer: `/${field}`, detail: `must be ${within.value}, or be left out` }];
          return refused('conflict', `It would leave its ${parent}`, { errors });
        }
        return single.replace(one);
      };
      return isEach(asked)
        ? each(resource, asked, location, replace)
        : replaceAll(resource, rules, asked, { within, location });
    }),
    [`removeAll:${parent}`]: under((asked) => removeAll(resource, rules, asked, place(asked).within)),
  };
}
