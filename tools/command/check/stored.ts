import {
  deploymentOf,
  limitsOf,
  lockedIn,
  type Promised,
  type Released,
  tableChanges,
  unreadableForms,
} from '../../../infra/stored.ts';
import { commandLine, RELEASE_COMMAND } from '../../../service/folders.ts';
import { attributeOf, kindsOf } from '../../../shared/resource/description/attribute.ts';
import type { Description } from '../../../shared/resource/description/description.ts';
import { choicesOf } from '../../../shared/resource/description/field-types.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { isTotalName } from '../../../shared/store/form/constraint-rows.ts';
import { formOf } from '../../../shared/store/form/inventory.ts';
import { needs, totals } from './begun-facts.ts';
import type { Change } from './change.ts';

const UNDONE = 'Nothing has changed yet: correct the definition.';
const SLOWER =
  'Lists are right at once. They are slower until all steps are done, and may have 10,000 items.';
const IGNORED = 'Deploy the release before, at any step: it ignores new keys and indexes.';

/** Returns what the changes of the definitions mean for stored items. `released`: the promises of the last release. */
export function storedChanges(registry: readonly Resource[], released: Released): Change[] {
  const { entering, leaving } = tableChanges(registry, released);
  return [
    ...registry.flatMap((one) => changesOf(one, released[one.name])),
    ...entering.map(added),
    ...leaving.map(removed),
  ];
}

function changesOf(resource: Resource, before: Promised | undefined): Change[] {
  const { name, description, table } = resource;
  if (!table || !description || !before) return [];
  return [
    ...forms(resource, description, before),
    ...indexes(resource, before),
    ...uniqueValues(resource, before),
    ...limits(resource, before),
    ...totals(resource, before),
    ...needs(resource, before),
    ...lostChoices(resource, description, before),
    ...refusals(resource, description, before),
    ...fields(name, description, before),
  ];
}

/** Returns the forms of stored values that this release cannot read, or that the release before it cannot read. */
function forms(resource: Resource, { version }: Description, before: Promised): Change[] {
  const { name } = resource;
  const unreadable = unreadableForms(resource, before);
  const older =
    version < before.version
      ? [`${name} has items of version ${before.version}: its description cannot have version ${version}`]
      : [];
  const broken = [...unreadable, ...older].map((what): Change => {
    const consequence = 'Neither npm start nor a synthesis begins: this release cannot read stored items.';
    return { effect: 'breaks', what, consequence, wayBack: UNDONE };
  });
  if (version <= before.version) return broken;
  const isKnown = version <= before.reads;
  return [
    ...broken,
    {
      effect: 'waits',
      what: `${name}: version ${version} of the stored form`,
      consequence: 'This release reads the items of both forms. Orders of the changed fields are slower.',
      steps: `${isKnown ? '' : `To be able to return, first release the old fields with \`later: { from: ${version}, read }\`. `}Deploy, and run ${commandLine('backfill', name)}.`,
      wayBack: isKnown
        ? 'Deploy the release before: it reads the new form and writes the old one.'
        : 'The release before answers 500 for items of the new form, until this release returns.',
    },
  ];
}

/** New indexes, and indexes that no order needs any more. */
function indexes(resource: Resource, before: Promised): Change[] {
  const { name } = resource;
  const { next, left, undeclared } = deploymentOf(resource, before);
  const [first] = next.indexes.filter((one) => !before.indexes.includes(one.name));
  const deployments = left.map(() => `run ${RELEASE_COMMAND}, and deploy again`);
  return [
    ...(first
      ? [
          {
            effect: 'waits',
            what: `${name}: the new ${left.length > 0 ? 'indexes' : 'index'} ${[first.name, ...left].join(', ')}`,
            consequence: SLOWER,
            steps: `${['Deploy', ...deployments].join('; ')}. Then run ${commandLine('backfill', name)}.`,
            wayBack: IGNORED,
          } as const,
        ]
      : []),
    ...undeclared.map((index): Change => {
      const consequence = 'No order needs it. It costs a write for each change of an item.';
      const steps = `Deploy, run ${RELEASE_COMMAND}, and deploy again.`;
      return { effect: 'waits', what: `${name}: the index ${index}`, consequence, steps, wayBack: IGNORED };
    }),
  ];
}

/** Values that become unique. */
const uniqueValues = (resource: Resource, before: Promised): Change[] =>
  formOf(resource)
    .form.unique.filter(
      (name) => !before.unique.includes(name) && !(name in limitsOf(resource)) && !isTotalName(name),
    )
    .map((attribute) => ({
      effect: 'waits',
      what: `${resource.name}.${attribute}: its values become unique`,
      consequence: 'A request cannot set a value of another item. Older items may have the same value.',
      steps: `Deploy, and run ${commandLine('backfill', resource.name)}: it reports items with the value of another one.`,
      wayBack: 'Deploy the release before: it allows equal values.',
    }));

/** Limits that are new, or lower than before. */
const limits = (resource: Resource, before: Promised): Change[] =>
  Object.entries(limitsOf(resource))
    .filter(([name, count]) => count < (before.atMost?.[name] ?? Number.POSITIVE_INFINITY))
    .map(([name, count]) => ({
      effect: 'waits',
      what: `${resource.name}: ${name.replace('at most', `at most ${count} items`)}`,
      consequence:
        'A request that adds one more gets 409. Items that are stored already stay, and the limit counts them after a backfill.',
      steps: `Deploy, and run ${commandLine('backfill', resource.name)}: it reports the items beyond the limit.`,
      wayBack: 'Deploy the release before: it has the limits of before.',
    }));

/** Choices that items can have, and that no field names any more. */
const lostChoices = ({ name, process }: Resource, description: Description, before: Promised): Change[] =>
  Object.entries(description.fields).flatMap(([field, declared]) => {
    const known = declared.kind === 'text' ? choicesOf(declared) : undefined;
    const stored = before.choices?.[attributeOf(description, field)] ?? [];
    return stored
      .filter((choice) => known && !known.includes(choice))
      .map((choice): Change => {
        const what = `${name}.${field}: the choice '${choice}' is gone`;
        const consequence =
          'Items that have it keep it. Filters refuse it, and the API description does not name it.';
        const steps =
          process?.field === field
            ? `Keep the state '${choice}' without a transition to it, until no item has it.`
            : `Say \`retired: ['${choice}']\` at the field, until no item has it.`;
        return { effect: 'waits', what, consequence, steps, wayBack: 'Define the choice again.' };
      });
  });

/** Rules that refuse changes and removals of stored items, which the release before allows. */
function refusals({ name, checkRemoval }: Resource, description: Description, before: Promised): Change[] {
  const { locked } = before;
  const states = Object.entries(locked ? lockedIn(description) : {}).flatMap(([attribute, all]) => {
    const added = all.filter((state) => !locked?.[attribute]?.includes(state));
    return added.length > 0 ? [`${name}.${attribute}: locked in ${added.join(', ')}`] : [];
  });
  const removals = checkRemoval && before.checksRemoval === false ? [`${name}: a rule of removals`] : [];
  const steps = 'Announce it to clients before the deployment.';
  const wayBack = 'Deploy the release before: it has no such rule.';
  return [
    ...states.map((what): Change => {
      const consequence = 'Items that are in these states keep their value: requests that change it get 409.';
      return { effect: 'waits', what, consequence, steps, wayBack };
    }),
    ...removals.map((what): Change => {
      const consequence = 'Requests that remove items get 409 for stored items too, if the rule keeps one.';
      return { effect: 'waits', what, consequence, steps, wayBack };
    }),
  ];
}

/** New fields, and attributes without a field. */
function fields(name: string, description: Description, before: Promised): Change[] {
  const kinds = kindsOf(description);
  const lost = Object.keys(before.fields).filter((attribute) => !(attribute in kinds));
  const found = Object.keys(kinds).filter((attribute) => !(attribute in before.fields));
  return [
    ...lost.map((attribute): Change => {
      const what = `${name}: no field has the attribute ${attribute}`;
      const consequence = 'Items keep the values, and no response shows them.';
      const steps =
        before.fields[attribute] === 'binary'
          ? 'A binary field cannot have another name: keep the name, and change its `label`.'
          : `If another field replaces it, say \`was: '${attribute}'\` there.`;
      return { effect: 'waits', what, consequence, steps, wayBack: 'Define the field again.' };
    }),
    ...found.map((attribute): Change => {
      const consequence = 'Items of earlier releases have no value. The next change of an item can set it.';
      const wayBack = 'Deploy the release before: it keeps the values and does not show them.';
      return { effect: 'adds', what: `${name}.${attribute}`, consequence, wayBack };
    }),
  ];
}

const added = (name: string): Change => ({
  effect: 'adds',
  what: `${name}: a new table`,
  consequence: 'The deployment creates it with all indexes.',
  wayBack: 'With data=retain, the table and its items stay when the resource goes.',
});

const removed = (name: string): Change => ({
  effect: 'breaks',
  what: `${name}: no resource needs its table`,
  consequence: 'With data=retain, AWS keeps the table and its items. With data=destroy, it deletes both.',
  steps: `First export the items: ${commandLine('data', 'export DIRECTORY --history')}. To accept: ${RELEASE_COMMAND}.`,
  wayBack:
    'With data=retain, define the resource or the history again, and name the table with adoptedTables.',
});
