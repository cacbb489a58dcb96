import type {
  Action,
  BulkCall,
  Calls,
  CreateCall,
  ElementsCall,
  Identified,
  Run,
} from '../../resource/actions/action.ts';
import { done, missing, type Outcome } from '../../resource/actions/outcome.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { SentItem } from '../../resource/sent.ts';
import { itemsOf } from '../../store/items/items.ts';
import { MAXIMUM_PARTS } from '../../store/write/limits.ts';
import { createAll, creationFaults } from './create-all.ts';
import { actPerElement, type ElementAction } from './per-element.ts';
import { otherParent, type ParentFacts, type Within } from './problems.ts';
import { removeAll } from './remove-all.ts';
import { replaceAll, replacementFaults } from './replace-all.ts';

/** The actions on one item. A lenient request runs them for each element. */
export interface Single<Create extends CreateCall = CreateCall> {
  readonly create: Run<Create>;
  readonly replace: Action<'replace'>;
}

/** The parent of nested items, and the action that checks its existence. */
export interface Parent extends ParentFacts {
  readonly exists: Action<'item'>;
}

/**
 * True for a lenient request with few elements. The response then has one result for each element. An operation runs
 * steps instead, because it must not repeat the elements of a previous run. Source: Specification 9.4.
 */
const isPerElement = ({ lenient, elements, work }: ElementsCall): boolean =>
  lenient && elements.length <= MAXIMUM_PARTS && !work;

/** Replaces the item that an element names. */
const replacing =
  (replace: Action<'replace'>): ElementAction =>
  (one, target) =>
    target ? replace({ ...one, ...target }) : missing();

/** Returns the bulk actions of a resource. */
export function bulkActions(resource: Resource, single: Single) {
  const location = `/${resource.name}`;
  return {
    createAll: (input: ElementsCall): Promise<Outcome> =>
      isPerElement(input)
        ? actPerElement(resource, input, location, (one) => single.create(one))
        : createAll(resource, input, location),
    replaceAll: (input: ElementsCall): Promise<Outcome> =>
      isPerElement(input)
        ? actPerElement(resource, input, location, replacing(single.replace))
        : replaceAll(resource, input, { within: undefined, location }),
    removeAll: (input: BulkCall): Promise<Outcome> => removeAll(resource, input, undefined),
  };
}

/** True if the request checks its elements. It has no time to read more of them: the operation checks those. */
const isChecked = ({ lenient, elements }: ElementsCall): boolean =>
  !lenient && elements.length <= MAXIMUM_PARTS;

/** Checks whether bulk actions would succeed, without changes. `within`: the parent of the items. */
export const bulkChecks = (resource: Resource, within?: Within) => ({
  createAll: async (input: ElementsCall): Promise<Outcome> => {
    const elements = within ? withParent(resource, input, within) : input.elements;
    return (isChecked(input) && (await creationFaults(resource, { ...input, elements }))) || done;
  },
  replaceAll: async (input: ElementsCall): Promise<Outcome> =>
    (isChecked(input) && (await replacementFaults(resource, input, within))) || done,
});

/** Returns the same for the items below a parent, whose identifier is in the path. */
export function nestedBulkChecks(resource: Resource, { name, field }: Pick<ParentFacts, 'name' | 'field'>) {
  const checks = (value: number) => bulkChecks(resource, { name, field, value });
  return {
    createAll: (input: Calls['elementsBelow']) => checks(input.id).createAll(input),
    replaceAll: (input: Calls['elementsBelow']) => checks(input.id).replaceAll(input),
  };
}

/** Adds the parent to each element. An element that names another parent gets a problem. */
function withParent(resource: Resource, { elements }: ElementsCall, within: NonNullable<Within>): SentItem[] {
  const { singular } = descriptionOf(resource);
  const { field, value } = within;
  return elements.map((sent) => {
    const named = sent.values[field];
    if (named === undefined || named === value)
      return { ...sent, values: { ...sent.values, [field]: value } };
    return { ...sent, problem: sent.problem ?? otherParent(within, singular, value) };
  });
}

/** Returns the bulk actions of the items below a parent: those whose `field` is the identifier in the path. */
export function nestedBulkActions(
  resource: Resource,
  single: Single<Calls['createBelow']>,
  { name, field, table, exists }: Parent,
) {
  const { singular } = descriptionOf(resource);
  const place = ({ id: value }: Identified) => {
    return { within: { name, field, value }, location: `/${table.resource}/${value}/${resource.name}` };
  };
  /** Checks the parent first: if it is missing, no other problem matters. */
  const under =
    <Input extends BulkCall & Identified>(act: Run<Input>): Run<Input> =>
    async (input) => {
      const found = await exists(input);
      return found.kind === 'missing' ? found : act(input);
    };
  return {
    createAll: under((input: Calls['elementsBelow']) => {
      const { location, within } = place(input);
      if (isPerElement(input))
        return actPerElement(resource, input, location, (one) => single.create({ ...one, id: input.id }));
      const elements = withParent(resource, input, within);
      const parent = { resource: table.resource, id: within.value };
      return createAll(resource, { ...input, elements, parent }, location);
    }),
    replaceAll: under((input: Calls['elementsBelow']) => {
      const { location, within } = place(input);
      const replace = replacing(async (one) => {
        const before = await itemsOf(resource, one.caller).get(one.id);
        if (before?.values[field] !== within.value) return missing();
        const named = one.values[field];
        if (named !== undefined && named !== within.value)
          return { kind: 'refused', problem: otherParent(within, singular, within.value) };
        return single.replace(one);
      });
      return isPerElement(input)
        ? actPerElement(resource, input, location, replace)
        : replaceAll(resource, input, { within, location });
    }),
    removeAll: under((input: Calls['bulkBelow']) => removeAll(resource, input, place(input).within)),
  };
}
