import type { Stored } from '../../infra/stored.ts';
import { commandLine } from '../../service/folders.ts';
import { attributeOf, earlierFormOf, isUnique } from '../../shared/resource/description/attribute.ts';
import type { Description } from '../../shared/resource/description/description.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { tableOf } from '../../shared/store/items/table.ts';

/** The file that says what deployed tables hold. */
const FILE = 'docs/stored.released.json';

type Definition = Pick<Resource, 'name' | 'description'>;

/** The fields by their attributes. */
const byAttribute = (description: Description) =>
  new Map(
    Object.entries(description.fields).map(([name, field]) => [
      attributeOf(description, name),
      { name, field, before: earlierFormOf(field)?.before },
    ]),
  );

/** Why this definition cannot read the items that the table holds. `stored`: undefined for a new table. */
export function faultsOf({ name, description }: Definition, stored: Stored | undefined): string[] {
  if (!description || !stored) return [];
  const { version } = description;
  const declared = byAttribute(description);
  const faults: string[] = [];
  if (version < stored.schema)
    faults.push(
      `${name} has items of version ${stored.schema}: its description cannot have version ${version}`,
    );
  for (const [attribute, kind] of Object.entries(stored.fields)) {
    const one = declared.get(attribute);
    const at = `${name}.${one?.name ?? attribute}`;
    if (!one)
      faults.push(
        `${name} stores ${attribute}, and no field has this attribute: say \`was: '${attribute}'\` at the field that ` +
          `replaces it, or remove it from \`fields\` of ${FILE} to leave its values unread`,
      );
    else if (one.field.kind !== kind && !(one.before !== undefined && one.before > stored.schema))
      faults.push(
        `${at} is stored as ${kind}, and declared as ${one.field.kind}: increase \`version\`, and read the values of ` +
          'earlier versions by `earlier`',
      );
  }
  for (const { name: field, before } of declared.values()) {
    if (before !== undefined && before > version)
      faults.push(
        `${name}.${field} has an earlier form before version ${before}: increase \`version\` to it`,
      );
  }
  return faults;
}

/** The remaining steps until the table is up to date, one sentence each. */
export function stepsOf(resource: Resource, stored: Stored | undefined): string[] {
  const { name, description, sortable } = resource;
  if (!description || !stored || !resource.table) return [];
  const { indexes } = tableOf(resource);
  const steps: string[] = [];
  for (const index of indexes.filter((one) => !stored.indexes.includes(one.name)))
    steps.push(`${name}: write keys. Deploy, then add ${index.name} to \`indexes\` of ${FILE}`);
  for (const index of stored.indexes.filter((one) => !indexes.some((wanted) => wanted.name === one)))
    steps.push(`${name}: drop. Deploy, then remove ${index} from \`indexes\` of ${FILE} and deploy again`);
  if (description.version > stored.schema)
    steps.push(
      `${name}: backfill. Deploy, run ${commandLine('backfill')} ${name}, then set \`schema\` of ${FILE} to ${description.version}`,
    );
  for (const field of sortable) {
    const attribute = attributeOf(description, field);
    if (stored.sortable.includes(attribute)) continue;
    steps.push(
      `${name}: backfill and serve. After every index of ${attribute} is deployed, run ${commandLine('backfill')} ${name}, then ` +
        `add ${attribute} to \`sortable\` of ${FILE} and deploy`,
    );
  }
  for (const [field, declared] of Object.entries(description.fields)) {
    const attribute = attributeOf(description, field);
    if (isUnique(declared) && !stored.unique?.includes(attribute))
      steps.push(
        `${name}: backfill. Deploy, run ${commandLine('backfill')} ${name}: it reports items with a ${field} of another item. ` +
          `Then add ${attribute} to \`unique\` of ${FILE}`,
      );
    const earlier = earlierFormOf(declared);
    if (earlier && stored.schema >= earlier.before)
      steps.push(`${name}: all items have the new form of ${field}, so its \`earlier\` can go`);
  }
  return steps;
}
