import { existsSync } from 'node:fs';
import { DELIVERIES_TABLE } from '../../shared/events/webhooks/deliveries.ts';
import { WAITING_TABLE } from '../../shared/events/webhooks/waiting-table.ts';
import { WIDE_SCOPES } from '../../shared/resource/access/access.ts';
import { AUDIT_SCOPE } from '../../shared/resource/access/sight.ts';
import { findFaults } from '../../shared/resource/description/validate.ts';
import { kindOf } from '../../shared/resource/kinds/kinds.ts';
import { scalarFields, suffixesOf } from '../../shared/resource/lists/filter.ts';
import type { Resource, Use } from '../../shared/resource/resource.ts';
import { addressOf, runsCode } from '../../shared/resource/route.ts';
import { VERSIONS_TABLE } from '../../shared/store/history/versions-table.ts';
import { IDEMPOTENCY_TABLE } from '../../shared/store/idempotency/answers.ts';
import { moduleAt } from '../folders.ts';
import { wrongAccess, wrongBelow } from './access.ts';
import { wrongConstraints } from './constraints.ts';
import { wrongActions } from './custom-actions.ts';
import { PARAMETERS, sentences, wrongFields, wrongViewed } from './fields.ts';
import { wrongNeeds } from './needs.ts';
import { wrongStoredValues } from './stored-values.ts';

/**
 * Returns the faults of the definitions of all resources, one sentence each; empty if they are right. Each sentence
 * begins with the file that has the fact. `files`: the paths of the definitions; those that it does not name have the
 * usual one.
 */
export function wrongFacts(
  registry: readonly Resource[],
  files: ReadonlyMap<Resource, string> = new Map(),
): string[] {
  const own = registry.filter((one) => files.has(one));
  const wrong = [
    ...registry.flatMap((resource) => wrongResource(resource, registry)),
    ...repeated([...registry.filter((one) => !files.has(one)), ...own]),
  ];
  return wrong.map(([one, sentence]) => `${files.get(one) ?? `functions/${one.name}.ts`}: ${sentence}.`);
}

function wrongResource(resource: Resource, registry: readonly Resource[]): [Resource, string][] {
  const { name, description, validate } = resource;
  const judge = validate && ((values: Parameters<typeof findFaults>[1]) => findFaults(validate, values));
  const facts = sentences([
    ...(description ? [...wrongFields(description, judge), ...wrongStoredValues(description)] : []),
    ...wrongConstraints(resource, registry),
    !(isView(resource) ? NAME_OF_VIEW : NAME).test(name) &&
      `the name '${name}' cannot be a part of a path, of a scope and of the variable TABLES: use small letters and digits`,
    ...ownersOf(name).map((of) => `the name '${name}' is the name of ${of}: choose another one`),
    ...wrongHistory(resource),
    ...wrongNumbers(resource),
    ...wrongPaths(resource),
    ...wrongBinaries(resource),
    ...wrongOrders(resource),
    ...wrongReferences(resource, registry),
    ...wrongActions(resource),
    ...wrongView(resource),
    ...(resource.needs
      ? wrongNeeds(resource.needs, resource.onChange !== undefined || runsCode(resource))
      : []),
    ...wrongAccess(resource),
    ...wrongBelow(resource, registry),
  ]);
  return facts.map((one) => [resource, one]);
}

/** Returns the parts of the service itself that have this name. */
const ownersOf = (name: string): string[] =>
  sentences([
    RESERVED.includes(name) && 'a scope of the service',
    SHARED_TABLES.includes(name) && 'a table of the service',
    existsSync(moduleAt(`functions/${name}/handler`)) && 'a function of the service',
  ]);

/** No name has a character that separates scopes or the names of tables. */
const NAME = /^[a-z][a-z0-9]*$/;
/** A view has no table, so its name has hyphens too. */
const NAME_OF_VIEW = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

const isView = ({ routes }: Resource): boolean =>
  routes.some(({ endpoints: { GET } }) => GET?.asked !== undefined);

/** Returns the faults of the parameters and the fields of a view. Source: Specification 20.5. */
const wrongView = ({ routes }: Resource): string[] =>
  routes.flatMap(({ endpoints: { GET } }) =>
    [GET?.asked?.description, GET?.asked?.shown].flatMap((one) =>
      Object.entries(one?.fields ?? {})
        .flatMap(([name, field]) => wrongViewed(name, field))
        .map((sentence) => `in the view, ${sentence}`),
    ),
  );

/** The names in the scopes of the service itself. Source: Specification 11.4, 11.15. */
const RESERVED = [...WIDE_SCOPES, AUDIT_SCOPE].map((scope) => scope.split(':')[0]);

/** The tables that all resources share. */
const SHARED_TABLES: readonly string[] = [
  DELIVERIES_TABLE.name,
  IDEMPOTENCY_TABLE.name,
  VERSIONS_TABLE.name,
  WAITING_TABLE.name,
];

const wrongHistory = ({ history }: Resource): string[] =>
  history && !(Number.isInteger(history.days) && history.days > 0)
    ? [`history keeps versions for ${history.days} days: use a whole number of days, at least 1`]
    : [];

const wrongNumbers = ({ table, revision, description }: Resource): string[] =>
  Object.entries({ shards: table?.shards, revision, version: description?.version }).flatMap(
    ([fact, value = 1]) =>
      Number.isSafeInteger(value) && value > 0 ? [] : [`${fact} is ${value}: use a whole number, at least 1`],
  );

const SEGMENT = /^(?:[a-z0-9.-]+|\{[a-zA-Z]+\})$/;

function wrongPaths({ name, routes }: Resource): string[] {
  const paths = [...new Set(routes.map(({ path }) => path))];
  return paths.flatMap((path) => {
    const [empty, ...segments] = path.split('/');
    if (empty !== '' || (path !== '/' && !segments.every((one) => SEGMENT.test(one))))
      return [`the path '${path}' is not a template: use segments such as /${name} and /{id}`];
    return [];
  });
}

/** Binary properties whose bytes have the path of something else. */
const wrongBinaries = ({ routes }: Resource): string[] =>
  routes.flatMap((route) =>
    route.binary?.kind === 'declared' && routes.some(({ path }) => path === addressOf(route))
      ? [
          `the bytes of '${route.binary.name}' have the path '${addressOf(route)}', which has another meaning: rename the field`,
        ]
      : [],
  );

/** Orders and filters of what cannot be compared. */
function wrongOrders({ description, sortable, filters }: Resource): string[] {
  if (!description) return [];
  const { fields } = description;
  const scalar = scalarFields(description);
  const wrong = sortable.flatMap((name) => {
    const field = fields[name];
    return !field || kindOf(field).comparing
      ? []
      : [`sortable names '${name}', whose values have no order: remove it`];
  });
  for (const [filter, meaning] of Object.entries(filters)) {
    const [name = '', suffix = ''] = meaning.split('.');
    const field = Object.hasOwn(scalar, name) ? scalar[name] : undefined;
    if (!field)
      wrong.push(`the filter '${filter}' compares '${name}', whose values cannot be compared: remove it`);
    else if (!suffixesOf(field).includes(suffix))
      wrong.push(
        `the filter '${filter}' means '${meaning}', and '${name}' has no such comparison: ${advice(field)}`,
      );
    if (PARAMETERS.has(filter))
      wrong.push(`the filter '${filter}' has the name of a parameter of every list: rename it`);
    if (Object.hasOwn(scalar, filter))
      wrong.push(`the filter '${filter}' has the name of a field: rename it`);
  }
  return wrong;
}

const advice = (field: Parameters<typeof suffixesOf>[0]): string => {
  const known = suffixesOf(field);
  return known.length > 0 ? `use one of ${known.map((one) => `.${one}`).join(', ')}` : 'remove it';
};

/** Names of resources and fields that do not exist. */
function wrongReferences({ relations, uses }: Resource, registry: readonly Resource[]): string[] {
  const names = new Set(registry.map(({ name }) => name));
  return [
    ...Object.entries(relations).flatMap(([relation, { to }]) =>
      names.has(to.name)
        ? []
        : [`the relation '${relation}' leads to '${to.name}', which is not a resource: correct it`],
    ),
    ...uses.flatMap((use) => {
      const table = 'table' in use ? use.table : 'objects' in use ? undefined : nameOf(use);
      return table === undefined || names.has(table) || SHARED_TABLES.includes(table)
        ? []
        : [
            `it needs the items of '${table}', which is not a resource: correct reads, writes, below or a reference`,
          ];
    }),
  ];
}

const nameOf = (use: Extract<Use, { reads: object } | { writes: object }>): string =>
  ('reads' in use ? use.reads : use.writes).name;

/** Names, singulars and paths that two resources have. Each sentence names the file of the later one. */
function repeated(registry: readonly Resource[]): [Resource, string][] {
  const owners = new Map<string, string>();
  return registry.flatMap((resource) => {
    const { name, description, routes } = resource;
    const own = [
      `the name '${name}'`,
      ...(description ? [`the singular '${description.singular}'`] : []),
      ...new Set(
        routes
          .flatMap((route) => [route.path, addressOf(route)])
          .map((path) => `the path '${path.replaceAll(/\{[^{}]*\}/g, '{}')}'`),
      ),
    ];
    return own.flatMap((fact): [Resource, string][] => {
      const other = owners.get(fact);
      owners.set(fact, name);
      return other === undefined ? [] : [[resource, `'${other}' already has ${fact}: change one of them`]];
    });
  });
}
