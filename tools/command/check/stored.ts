import { incompleteOrders, type Released, tableToDeploy } from '../../../infra/stored.ts';
import { attributeOf } from '../../../shared/resource/description/attribute.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { faultsOf, stepsOf } from '../../check/stored-changes.ts';
import type { Change } from './change.ts';

/** What the changes of the definitions mean for stored items. `released`: what the deployed tables hold. */
export function storedChanges(registry: readonly Resource[], released: Released): Change[] {
  const gone = Object.keys(released).filter((name) => !registry.some((one) => one.name === name));
  return [...registry.flatMap((one) => changesOf(one, released)), ...gone.map(removed)];
}

function changesOf(resource: Resource, released: Released): Change[] {
  const { name, description, table } = resource;
  if (!table || !description) return [];
  const stored = released[name];
  if (!stored) return [added(name)];
  const fields = Object.keys(description.fields).filter(
    (field) => !(attributeOf(description, field) in stored.fields),
  );
  return [
    ...obstaclesTo(resource, released).map((what): Change => {
      const consequence = 'Neither npm start nor a deployment begins.';
      return {
        effect: 'breaks',
        what,
        consequence,
        wayBack: 'Nothing has changed yet: correct the definition.',
      };
    }),
    ...faultsOf(resource, stored).map((what): Change => {
      const consequence = 'This release cannot read stored items: requests for them fail.';
      return {
        effect: 'breaks',
        what,
        consequence,
        wayBack: 'Deploy the release before: it reads the items.',
      };
    }),
    ...stepsOf(resource, stored).map((one): Change => {
      const [what = one, ...steps] = one.split('. ');
      const consequence = 'Lists and rules are right at once. They are slower until all steps are done.';
      const wayBack = 'Deploy the release before, at any step: it ignores new keys and indexes.';
      const left = steps.length === 0 ? {} : { steps: steps.join('. ') };
      return { effect: 'waits', what, consequence, ...left, wayBack };
    }),
    ...fields.map((field): Change => {
      const consequence = 'Items of earlier releases have no value. The next change of an item can set it.';
      const wayBack = 'Deploy the release before: it keeps the values and does not show them.';
      return { effect: 'adds', what: `${name}.${field}`, consequence, wayBack };
    }),
  ];
}

/** Why the table cannot become what the definition wants in one deployment. */
function obstaclesTo(resource: Resource, released: Released): string[] {
  const attempts = [() => incompleteOrders([resource], released), () => tableToDeploy(resource, released)];
  return attempts.flatMap((attempt) => {
    try {
      attempt();
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}

const added = (name: string): Change => ({
  effect: 'adds',
  what: `${name}: a new table`,
  consequence: 'The deployment creates it with all indexes.',
  wayBack: 'With data=retain, the table and its items stay when the resource goes.',
});

const removed = (name: string): Change => ({
  effect: 'breaks',
  what: `${name}: no resource has its table`,
  consequence: 'With data=retain, AWS keeps the table and its items. With data=destroy, it deletes both.',
  steps:
    'First export the items: npx resource-api data export DIRECTORY. To accept: npx resource-api release.',
  wayBack: 'With data=retain, define the resource again and name its table with adoptedTables.',
});
