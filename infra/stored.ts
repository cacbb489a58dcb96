import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedNames } from '../service/derived/tables.ts';
import { SERVICE } from '../service/folders.ts';
import type { Ownership } from '../shared/resource/access/owner.ts';
import {
  attributeOf,
  earlierFormOf,
  type Kinds,
  kindsOf,
  laterFormOf,
} from '../shared/resource/description/attribute.ts';
import type { Description } from '../shared/resource/description/description.ts';
import { choicesOf } from '../shared/resource/description/field-types.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { limitName } from '../shared/store/form/constraint-rows.ts';
import { formOf } from '../shared/store/form/inventory.ts';
import { type Index, MAXIMUM_INDEXES, SHARD, type Table, tableOf } from '../shared/store/form/table.ts';

/**
 * What a release promises about a table: later releases read its items. The inventory in each table says what the items
 * of one environment have.
 */
export interface Promised {
  /** The version of the description that stores items. */
  readonly version: number;
  /** The latest version of items that the release reads. */
  readonly reads: number;
  /** The name of the identifier, which is the key of the table. */
  readonly key?: string;
  /** The kind of each attribute that this release or an earlier one stores. */
  readonly fields: Kinds;
  /** The attributes whose values are unique among all items, and the names of the limits. */
  readonly unique: readonly string[];
  /** The count of each limit by its name. */
  readonly atMost?: Readonly<Record<string, number>>;
  /** Who owns the items. A promise of an earlier release does not say it. */
  readonly owner?: Ownership | 'none';
  /** True if the service keeps versions of the items. A promise of an earlier release does not say it. */
  readonly history?: boolean;
  /** The only texts that items have in an attribute, also of earlier releases. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** The states in which an attribute keeps its value. A promise of an earlier release does not say it. */
  readonly locked?: Readonly<Record<string, readonly string[]>>;
  /** True if a rule can keep an item from removal. A promise of an earlier release does not say it. */
  readonly checksRemoval?: boolean;
  /** The variables and the secrets that code of the resource needs. A promise of an earlier release does not say it. */
  readonly needs?: readonly string[];
  /** The indexes of the template. */
  readonly indexes: readonly string[];
}

/** What decides whether a definition can read the items of a table. */
export type StoredShape = Pick<Promised, 'version' | 'fields' | 'owner' | 'key'>;

/** The promises of the last release, by resource. */
export type Released = Readonly<Record<string, Promised>>;

const RECORD = join(SERVICE, 'docs/stored.released.json');

/** The contents of docs/stored.released.json. A service without a release has no such file. */
export const RELEASED: Released = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};

/** Returns the promises of a release of these definitions, after the release `before`. */
export function promisesOf(registry: readonly Resource[], before: Released = RELEASED): Released {
  const entries = registry.flatMap((resource) => {
    const { name, table, description, owner, history, checkRemoval, needs } = resource;
    if (!table || !description) return [];
    const { version } = description;
    const one: Promised = {
      version,
      reads: Math.max(version, ...laterVersions(description)),
      key: description.identifier.name,
      // An attribute without a field stays: its values are in the tables.
      fields: { ...before[name]?.fields, ...kindsOf(description) },
      unique: formOf(resource).form.unique,
      ...(resource.atMost ? { atMost: limitsOf(resource) } : {}),
      owner: owner ?? 'none',
      history: history !== undefined,
      ...choicesIn(description),
      locked: lockedIn(description),
      checksRemoval: checkRemoval !== undefined,
      ...(needs ? { needs: [...(needs.variables ?? []), ...(needs.secrets ?? [])] } : {}),
      indexes: indexesAfter(resource, before[name]),
    };
    return [[name, one] as const];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the names of the tables that a deployment adds to the stack of the last release and removes from it, also of
 * those that resources share.
 */
export function tableChanges(
  registry: readonly Resource[],
  before: Released = RELEASED,
): { readonly entering: readonly string[]; readonly leaving: readonly string[] } {
  const next = promisesOf(registry, before);
  const present = tableNames(next);
  const former = tableNames(
    Object.fromEntries(
      Object.entries(before).map(([name, one]) => [name, { history: next[name]?.history ?? false, ...one }]),
    ),
  );
  return {
    entering: present.filter((name) => !former.includes(name)),
    leaving: former.filter((name) => !present.includes(name)),
  };
}

function tableNames(promised: Released): readonly string[] {
  const all = Object.entries(promised).map(([name, { history }]) => (history ? { name, history } : { name }));
  return [...all.map(({ name }) => name), ...sharedNames(all)];
}

/** Returns the counts of the limits of a resource, by their names. */
export const limitsOf = ({ description, atMost = [] }: Resource): Readonly<Record<string, number>> =>
  Object.fromEntries(description ? atMost.map((limit) => [limitName(description, limit), limit.count]) : []);

/** Returns the choices of each attribute that has some. */
function choicesIn(description: Description): Pick<Promised, 'choices'> {
  const all = Object.entries(description.fields).flatMap(([name, field]) => {
    const choices = field.kind === 'text' && !field.atReading ? choicesOf(field) : undefined;
    return choices ? [[attributeOf(description, name), choices] as const] : [];
  });
  return all.length > 0 ? { choices: Object.fromEntries(all) } : {};
}

/** Returns the states in which each attribute keeps its value. */
export const lockedIn = (description: Description): NonNullable<Promised['locked']> =>
  Object.fromEntries(
    description.plan.locked.map(([name, states]) => [attributeOf(description, name), states] as const),
  );

/** Returns the text of docs/stored.released.json after a release of these definitions. */
export const promisesSource = (registry: readonly Resource[]): string =>
  `${JSON.stringify(promisesOf(registry), undefined, 2)}\n`;

/** Returns the versions whose form a description reads before a release writes it. */
const laterVersions = ({ fields }: Description): number[] =>
  Object.values(fields).flatMap((field) => laterFormOf(field)?.from ?? []);

/** Returns the names of the indexes that the next deployment begins with. */
function indexesAfter(resource: Resource, before: Promised | undefined): string[] {
  const { next, left, undeclared } = deploymentOf(resource, before);
  const names = next.indexes.map(({ name }) => name);
  // DynamoDB deletes one index at a time, and no index while it creates another one.
  const canDelete = left.length === 0 || names.length === MAXIMUM_INDEXES;
  const [gone] = canDelete && before?.indexes.length === names.length ? undeclared : [];
  return names.filter((name) => name !== gone);
}

/** The next deployment of a table. */
interface Deployment {
  readonly next: Table;
  /** The new indexes of later deployments. */
  readonly left: readonly string[];
  /** The indexes that no order needs any more. */
  readonly undeclared: readonly string[];
}

/**
 * Returns the indexes that the next deployment gives to a table: the deployed ones and at most one new one, because
 * DynamoDB creates one index at a time. An index that no order needs any more stays in one more deployment, because
 * functions of the release before can still read it. A table without a promise is new, and gets all indexes.
 *
 * Source: AWS CloudFormation User Guide, "AWS::DynamoDB::GlobalTable", GlobalSecondaryIndexes.
 */
export function deploymentOf(
  resource: Resource,
  before: Pick<Promised, 'indexes'> | undefined = RELEASED[resource.name],
): Deployment {
  const table = tableOf(resource);
  if (!before) return { next: table, left: [], undeclared: [] };
  const isDeployed = ({ name }: Index) => before.indexes.includes(name);
  const added = table.indexes.filter((one) => !isDeployed(one));
  const undeclared = before.indexes.filter((name) => !table.indexes.some((one) => one.name === name));
  const present = [...table.indexes.filter(isDeployed), ...undeclared.map(leftOver(table))];
  const count = present.length < MAXIMUM_INDEXES ? 1 : 0;
  const indexes = [...present, ...added.slice(0, count)];
  return { next: { ...table, indexes }, left: added.slice(count).map(({ name }) => name), undeclared };
}

/** Returns an index of a field that is no longer sortable. */
const leftOver =
  ({ indexes }: Table) =>
  (name: string): Index => {
    /** `name` for `by_name` and `customerId_by_name`. */
    const field = name.replace(/^.*?by_/, '');
    const whole = { partition: SHARD, partitionType: 'N' } as const;
    const of = indexes.find(({ partition }) => name === `${partition}_by_${field}`) ?? whole;
    const { partition, partitionType } = of;
    return { name, field, partition, partitionType, sort: { name: `_by_${field}`, type: 'B' } };
  };

/**
 * Returns why a definition cannot read items that a table holds. `before`: the promise of the last release, or the
 * inventory of a table; undefined for a new table.
 */
export function unreadableForms(
  { name, description, owner = 'none' }: Pick<Resource, 'name' | 'description'> & Pick<Promised, 'owner'>,
  before: StoredShape | undefined,
): string[] {
  if (!description || !before) return [];
  const owners =
    before.owner === undefined || owner === before.owner
      ? []
      : [
          `The owner of items of ${name} is '${before.owner}', and the definition says '${owner}': items keep their ` +
            'owners, so define a new resource, and copy the items',
        ];
  const forms = Object.entries(description.fields).flatMap(([field, declared]) => {
    const stored = before.fields[attributeOf(description, field)];
    const { before: version = 0 } = earlierFormOf(declared) ?? {};
    if (version > description.version)
      return [`${name}.${field} has an earlier form before version ${version}: increase \`version\` to it`];
    if (declared.atReading || stored === undefined || stored === declared.kind || version > before.version)
      return [];
    // A roll-back to the release that reads the later form.
    if (laterFormOf(declared)) return [];
    return [
      `${name}.${field} is stored as ${stored}, and declared as ${declared.kind}: increase \`version\`, and read the ` +
        'values of earlier versions by `earlier`',
    ];
  });
  return [...wrongKey(name, before.key, description.identifier.name), ...owners, ...forms];
}

/** Returns why a definition cannot use the key of a table; empty if it can. `before`: undefined if it is not known. */
export const wrongKey = (name: string, before: string | undefined, now: string): string[] =>
  before === undefined || before === now
    ? []
    : [
        `The table of ${name} has the key ${before}, and the definition names the identifier ${now}: a table keeps its ` +
          'key, so define a new resource, and copy the items',
      ];

/**
 * Refuses definitions that cannot read stored items. `beforeOf`: what a table holds, by the name of its resource.
 * @throws Error with a sentence for each fault
 */
export function refuseUnreadable(
  registry: readonly Resource[],
  beforeOf: (name: string) => StoredShape | undefined,
): void {
  const faults = registry.flatMap((one) => unreadableForms(one, beforeOf(one.name)));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
