import { validatorOf } from '#validators';
import { storedBinaries } from '../shared/files/binaries/storage.ts';
import { collectionActions, collectionChecks } from '../shared/operations/collection-actions.ts';
import { nestedActions } from '../shared/operations/nested-actions.ts';
import { SERVICE } from '../shared/resource/access/owner.ts';
import type { Description } from '../shared/resource/description/description.ts';
import { capitalize } from '../shared/resource/description/fields.ts';
import { serverPart } from '../shared/resource/description/plan.ts';
import { parentBy } from '../shared/resource/description/references.ts';
import type { Effect } from '../shared/resource/facts.ts';
import type { Needs } from '../shared/resource/needs.ts';
import { resource as defineResource, type Resource } from '../shared/resource/resource.ts';
import { withoutClosed } from '../shared/resource/route.ts';
import { bulk, change, collection, forms } from '../shared/resource/styles/collection.ts';
import { customActions } from '../shared/resource/styles/custom-actions.ts';
import { VERSION_PARAMETERS, history as versions } from '../shared/resource/styles/history.ts';
import { nested, nestedBulk } from '../shared/resource/styles/nested.ts';
import { process as transitionRoutes } from '../shared/resource/styles/process.ts';
import { binaries, pastBinaries } from '../shared/resource/styles/store-and-binaries.ts';
import { nestedTotals, TOTALS_PARAMETERS, totals } from '../shared/resource/styles/totals.ts';
import { binaryActions } from '../shared/store/actions/binary-actions.ts';
import { transitions } from '../shared/store/actions/transition-actions.ts';
import { tryingOut } from '../shared/store/actions/trying-out.ts';
import { recordedAnswers } from '../shared/store/idempotency/answers.ts';
import { customActionsOf } from './actions.ts';
import { completing, removing } from './check.ts';
import { listLinks, othersOf } from './connect.ts';
import type { Definition, Singular } from './definition.ts';
import { descriptionOf, filtersOf, linksOf, partitionsOf, processOf, usesOf } from './describe.ts';
import type { Declared, Fields } from './fields/declared.ts';
import { reference } from './fields/references.ts';
import { relationsOf } from './fields/relations.ts';
import { deferral, historyOf, inUnits, itemReader, totalsIn } from './on-demand.ts';
import { letRead, type Reader, readingFor } from './reading/code-reading.ts';
import type { BodiesOf, ResourceFacts, Under, Whole } from './resource-options.ts';

/**
 * Defines a resource: its routes, validation, storage, pages, events, permissions and description follow from the
 * facts. `name`: its plural, in paths and in the names of the table and the function.
 *
 * Source: docs/resources.md.
 */
export function resource<
  const Name extends string,
  F extends Fields,
  C = unknown,
  const Parent extends Under | undefined = undefined,
  A = unknown,
  W extends string = never,
  const One extends string = Singular<Name>,
  R extends string = never,
  // biome-ignore lint/complexity/noBannedTypes: without the fact, no name is stated
  const N extends Needs = {},
  const K extends Effect = never,
>(
  name: Name,
  facts: ResourceFacts<F, C, Parent, A, W, One, R, Name, N, K>,
): Definition<Name, Whole<F, C, Parent>, BodiesOf<A>, One, K> {
  const { open = false } = facts;
  const { of: under, required = false } = underOf(facts.under);
  const parent = under && parentFieldOf(under, required, facts.fields);
  const fields: Fields = parent ? { [parent.name]: parent.field, ...facts.fields } : facts.fields;
  const description = descriptionOf(name, facts, fields);
  const validate = validatorOf(name, description);
  const { reads = [], writes = [], onChange } = facts;
  const reader: Reader = { name, resources: () => [made, ...reads, ...writes] };
  const process = processOf(fields);
  const validateServer = hasServerFields(description)
    ? validatorOf(`${name}.server`, serverPart(description))
    : undefined;
  const complete =
    facts.check && completing(description, validate, reader, facts.check, { process, validateServer });
  const links = linksOf(name, fields);
  const hasBytes = open || Object.values(description.fields).some(({ kind }) => kind === 'binary');
  const path: `/${string}` = `/${name}`;

  const routes = (made: Resource) => {
    const actions = collectionActions(made);
    const checks = collectionChecks(made);
    const past = facts.history && historyOf(made);
    const below = under &&
      parent && {
        path: `/${under.name}/{id}/${name}` as const,
        actions: nestedActions(made, actions, parentBy(description, parent.name)),
      };
    const all = [
      ...collection(path, actions, checks),
      ...(facts.bulk === false ? [] : bulk(path, actions, checks)),
      ...(facts.change ? change(path, actions, checks) : []),
      ...(facts.totals ? totals(path, totalsIn(made).all) : []),
      ...(below
        ? [
            ...nested(below.path, below.actions),
            ...nestedBulk(below.path, below.actions),
            ...(facts.totals
              ? nestedTotals(below.path, below.actions.exists, totalsIn(made, below.actions.field).below)
              : []),
          ]
        : []),
      ...(process ? transitionRoutes(path, actions.read, transitions(made)) : []),
      ...(past ? versions(path, actions.read, past) : []),
      ...(hasBytes
        ? binaries(`${path}/{id}`, description, binaryActions(made), past ? { timeGate: past.at } : {})
        : []),
      ...(past && hasBytes ? pastBinaries(path, description, past.read) : []),
      ...forms(path, actions, checks),
      ...(facts.below ?? []).flatMap((one) => one.routes(made)),
      // Of two endpoints with one path the later one counts, so that start finds the name of a form or a transition.
      ...customActions(
        path,
        actions.read,
        inUnits(
          made,
          customActionsOf(reader, facts.actions ?? {}, () => othersOf(made)),
        ),
      ),
    ];
    return facts.closed ? withoutClosed(all, facts.closed) : all;
  };

  const partitions = partitionsOf(fields, parent?.name);
  const computed: Readonly<Record<string, { readonly as: Declared }>> = facts.computed ?? {};
  const listed = {
    ...fields,
    ...Object.fromEntries(Object.entries(computed).map(([field, { as }]) => [field, as])),
  };
  const { shards, owner, lifecycle, atMost, history = false, revision = 1 } = facts;
  const made: Resource = defineResource({
    name,
    title: facts.title ?? capitalize(name),
    about: facts.about,
    description,
    validate,
    ...(complete ? { complete } : {}),
    ...(facts.checkRemoval ? { checkRemoval: removing(reader, facts.checkRemoval) } : {}),
    ...(facts.closed ? { closed: facts.closed } : {}),
    ...(validateServer ? { validateServer } : {}),
    revision,
    sortable: Object.keys(listed).filter((field) => listed[field]?.sortable),
    filters: filtersOf(listed),
    table: {
      ...(partitions.length > 0 ? { partitions } : {}),
      ...(shards === undefined ? {} : { shards }),
    },
    ...(process ? { process } : {}),
    ...(owner === undefined ? {} : { owner }),
    ...(atMost ? { atMost } : {}),
    ...(Array.isArray(facts.totals) ? { keptTotals: facts.totals } : {}),
    ...(history ? { history } : {}),
    parameters: { ...(facts.totals ? TOTALS_PARAMETERS : {}), ...(history ? VERSION_PARAMETERS : {}) },
    ...(lifecycle === undefined ? {} : { lifecycle }),
    // The compiler has compared the function with the fields of the author.
    ...(onChange
      ? {
          onChange: (change) =>
            onChange({ ...change, ...readingFor(reader, SERVICE), ...othersOf(made).settings } as never),
        }
      : {}),
    ...(facts.needs ? { needs: facts.needs } : {}),
    uses: [
      ...usesOf(fields, facts),
      ...(Array.isArray(facts.totals) ? [{ table: 'changes', access: 'follow' } as const] : []),
    ],
    relations: relationsOf(fields),
    links: (item) => [...links(item), ...listLinks(made, item)],
    referredBy: () => othersOf(made).referredBy(),
    isCleared: () => othersOf(made).isCleared,
    otherNames: () => othersOf(made).names,
    idempotency: recordedAnswers,
    deferral,
    dryRun: tryingOut(() => [made, ...made.uses.flatMap((use) => ('writes' in use ? [use.writes] : []))]),
    ...(hasBytes ? { binaries: storedBinaries } : {}),
    routes,
  });
  letRead(made, itemReader);
  return Object.assign(made, { name, description });
}

/** True if code of a resource can set fields that clients cannot. */
const hasServerFields = (description: Description): boolean =>
  Object.keys(serverPart(description).fields).length > 0;

/** Returns the resource above, and whether each item belongs to one of its items. */
const underOf = (under: Under | undefined): { readonly of?: Definition; readonly required?: boolean } =>
  under && 'of' in under ? under : under ? { of: under } : {};

/**
 * Returns the field with the identifier of the parent. The author can declare it.
 * @throws Error if each item needs a parent, and the field of the author says otherwise
 */
function parentFieldOf(
  under: Definition,
  required: boolean,
  fields: Fields,
): { readonly name: string; readonly field: Declared } {
  const name = `${under.description.singular}Id`;
  const { [name]: own } = fields;
  if (required && own && !own.required)
    throw new Error(`Each item is under ${under.name}: state required: true for '${name}', or leave it out`);
  return { name, field: own ?? reference(under, required ? { required } : { keptByPut: true }) };
}
