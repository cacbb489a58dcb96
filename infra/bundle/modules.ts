import { existsSync } from 'node:fs';
import type { Plugin } from 'rolldown';
import { othersIn, readsOthers } from '../../api/connect.ts';
import { hasLongActions } from '../../api/reading/long-code.ts';
import * as ABOUT from '../../service/about.ts';
import * as FACTS from '../../service/catalog.ts';
import {
  type Defined,
  type DefinedSchedule,
  definitions,
  scheduleDefinitions,
} from '../../service/definitions.ts';
import { moduleAt } from '../../service/folders.ts';
import { registry } from '../../service/registry.ts';
import { RELATED } from '../../service/related.ts';
import { validatorsSource } from '../../service/validation/source.ts';
import { changesFunction } from '../../shared/events/changes.ts';
import type { Description } from '../../shared/resource/description/description.ts';
import { serverPart } from '../../shared/resource/description/plan.ts';
import type { RelatedList } from '../../shared/resource/relation.ts';
import { scheduleFunction } from '../../shared/resource/schedule.ts';

/** The entry point of a function without a handler begins with this, and ends with the name of the function. */
const WRITTEN = 'written:';

const own = await definitions();
const timed = await scheduleDefinitions();

/**
 * Returns the entry point of a function: its own handler, one that serves the resource of its name, or one that calls
 * `onChange` of a resource.
 */
export function entryOf(name: string): string {
  const path = moduleAt(`functions/${name}/handler`);
  return existsSync(path) ? path : WRITTEN + name;
}

/** True for the entry point of a function without a handler, which has no file. */
export const isWritten = (entry: string): boolean => entry.startsWith(WRITTEN);

/** Returns a value as source text. @throws Error if JSON would change it, as it does with a regular expression */
const quoted = (value: unknown): string =>
  JSON.stringify(value, (name, inner: unknown) => {
    const isKept = typeof inner !== 'function' && !(inner instanceof RegExp || inner instanceof Map);
    if (!isKept) throw new Error(`A bundle cannot contain the value of ${name}, because it is not JSON`);
    return inner;
  });

/** The facts that some resources of every service load: the module of each, and its name there. */
const FACTS_OF_ALL: Readonly<
  Record<string, Readonly<Record<string, readonly [module: string, name: string]>>>
> = {
  root: { registry: ['service/registry', 'registry'], paths: ['service/catalog', 'PATHS'] },
  changes: {
    registry: ['service/registry', 'registry'],
    eventSources: ['service/catalog', 'EVENT_SOURCES'],
  },
  mcp: { described: ['service/catalog', 'DESCRIBED'] },
  signin: { signInScopes: ['service/catalog', 'SIGN_IN_SCOPES'] },
  subscriptions: { eventSources: ['service/catalog', 'EVENT_SOURCES'] },
};

/** The facts of these kinds as values. */
const VALUES_OF_ALL: Readonly<Record<string, object>> = {
  operations: { schedules: timed.map(({ schedule }) => schedule.name) },
};

/** Returns the statements that import a resource as `local`. */
function importOf(name: string, local: string): string {
  const defined = own.find(({ resource }) => resource.name === name);
  const file = quoted(defined ? defined.file : moduleAt(`functions/${name}/resource`));
  const values = VALUES_OF_ALL[name];
  if (values)
    return `import { ${name} as make${local} } from ${file};\nconst ${local} = make${local}(${quoted(values)});`;
  const facts = FACTS_OF_ALL[name];
  if (!facts) return `import { ${defined?.name ?? name} as ${local} } from ${file};`;
  const loaders = Object.entries(facts).map(
    ([fact, [module, named]]) =>
      `${fact}: () => import(${quoted(moduleAt(module))}).then((all) => all.${named})`,
  );
  return `import { ${name} as make${local} } from ${file};
const ${local} = make${local}({ ${loaders.join(', ')} });`;
}

/** Returns the module with the lists on the pages of these resources. */
function relatedSource(lists: Readonly<Record<string, readonly RelatedList[]>>): string {
  const all = Object.values(lists).flat();
  const names = [...new Set(all.flatMap((one) => [one.name, ...one.relations.map(({ to }) => to.name)]))];
  const localOf = (name: string) => `resource${names.indexOf(name)}`;
  const listed = (name: string) => `name: ${quoted(name)}, description: ${localOf(name)}.description`;
  const entry = ({ name, description: _, relations, ...list }: RelatedList) => {
    const others = relations.map((one) => `{ field: ${quoted(one.field)}, to: { ${listed(one.to.name)} } }`);
    return `{ ...${quoted(list)}, ${listed(name)}, relations: [${others.join(', ')}] }`;
  };
  const entries = Object.entries(lists).map(
    ([name, ofOne]) => `${quoted(name)}: [${ofOne.map(entry).join(', ')}]`,
  );
  return `${names.map((name) => importOf(name, localOf(name))).join('\n')}
export const RELATED = { ${entries.join(', ')} };`;
}

/** Returns the module with the list of all resources. */
const registrySource = (): string =>
  `${registry.map(({ name }, at) => importOf(name, `resource${at}`)).join('\n')}
export const registry = [${registry.map((_one, at) => `resource${at}`).join(', ')}];`;

/** Returns a module with these values. */
const valuesSource = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${quoted(value)};`)
    .join('\n');

/** Returns the description of what a client sends to an endpoint, under the name of its validator. */
const named = (
  resource: string,
  { id }: { readonly id: string },
  { description }: { readonly description: Description },
): [string, Description] => [`${resource}.${id}`, description];

/** Returns the module with the validators of these resources. */
const validatorSource = (resources: readonly Defined['resource'][]): string =>
  validatorsSource(
    Object.fromEntries(
      resources.flatMap(({ name, description, validate, validateServer, routes }) => {
        const sent = routes.flatMap(({ endpoints: { GET, POST } }): [string, Description][] => [
          ...(GET?.asked ? [named(name, GET, GET.asked)] : []),
          ...(POST?.body ? [named(name, POST, POST.body)] : []),
        ]);
        if (!description || !validate) return sent;
        const server: [string, Description][] = validateServer
          ? [[`${name}.server`, serverPart(description)]]
          : [];
        return [[name, description], ...server, ...sent];
      }),
    ),
  );

/** Returns the handler that serves a resource. */
const serveSource = (
  name: string,
): string => `import { serve } from ${quoted(moduleAt('shared/lambda/serve'))};
${importOf(name, 'resource')}
export const handler = serve(resource);`;

/** Returns the handler that calls `onChange` of a resource. */
const reactSource = (name: string): string => `
import { observeBackground } from ${quoted(moduleAt('shared/lambda/logs/observe'))};
import { reacting } from ${quoted(moduleAt('shared/events/changes'))};
${importOf(name, 'resource')}
export const handler = observeBackground(${quoted(changesFunction({ name }))}, reacting(resource));`;

/** Returns the handler that runs a schedule. */
const runSource = ({ file, name, schedule }: DefinedSchedule): string => `
import { observeBackground } from ${quoted(moduleAt('shared/lambda/logs/observe'))};
import { scheduleHandler } from ${quoted(moduleAt('functions/worker/schedules/handle'))};
import { ${name} as schedule } from ${quoted(file)};
${schedule.needs ? `import { settingsOf } from ${quoted(moduleAt('shared/aws/settings'))};` : ''}
const settings = ${schedule.needs ? `settingsOf(${quoted(schedule.needs)})` : 'undefined'};
export const handler = observeBackground(${quoted(scheduleFunction(schedule))}, scheduleHandler(schedule, settings));`;

/** Returns the statement that says to a resource what follows for it from the others. */
function connection({ name, resource }: Defined): string {
  const { lists, referredBy, isCleared, names } = othersIn(registry, resource);
  const localOf = (at: number) => `referrer${at}`;
  const settings = resource.needs ? `, settings: settingsOf(${quoted(resource.needs)})` : '';
  const reading = readsOthers(resource) ? ', reading: readingFor' : '';
  const long = hasLongActions(resource) ? ', long: longCode' : '';
  const kept = resource.keptTotals ? ', kept: keptCode' : '';
  return `${referredBy.map((one, at) => importOf(one.name, localOf(at))).join('\n')}
import { connectOne } from ${quoted(moduleAt('api/connect'))};${
    resource.needs ? `\nimport { settingsOf } from ${quoted(moduleAt('shared/aws/settings'))};` : ''
  }${reading ? `\nimport { readingFor } from ${quoted(moduleAt('api/reading/code-reading'))};` : ''}${
    long ? `\nimport { longCode } from ${quoted(moduleAt('api/reading/long-code'))};` : ''
  }${kept ? `\nimport { keptCode } from ${quoted(moduleAt('api/reading/kept-code'))};` : ''}
connectOne(${name}, { lists: ${quoted(lists)}, referredBy: () => [${referredBy.map((_one, at) => localOf(at)).join(', ')}], isCleared: ${isCleared}, names: ${quoted(names)}${settings}${reading}${long}${kept} });`;
}

/**
 * Writes the modules that follow from all resources, for one function: its handler, the registry, the facts, the
 * related lists and the validators. `entry`: the entry point of the function.
 */
export function modulesFor(entry: string): Plugin {
  const wanted = isWritten(entry) ? entry.slice(WRITTEN.length) : undefined;
  const reacts = registry.find((one) => changesFunction(one) === wanted);
  const runs = timed.find(({ schedule }) => scheduleFunction(schedule) === wanted);
  const served = reacts?.name ?? wanted;
  const written = [
    ...registry.filter(({ name }) => name === served),
    ...(runs ? [runs.schedule] : []),
  ].flatMap(({ uses }) => uses.flatMap((use) => ('writes' in use ? [use.writes.name] : [])));
  const resources = registry.filter(
    ({ name }) => served === undefined || name === served || written.includes(name),
  );
  const lists = Object.entries(RELATED).filter(([name]) => served === undefined || name === served);
  const modules = new Map<string, () => string>([
    [
      `\0${entry}`,
      () => (runs ? runSource(runs) : reacts ? reactSource(reacts.name) : serveSource(served ?? '')),
    ],
    [moduleAt('service/registry'), registrySource],
    [moduleAt('service/about'), () => valuesSource(ABOUT)],
    [moduleAt('service/catalog'), () => valuesSource(FACTS)],
    [moduleAt('service/related'), () => relatedSource(Object.fromEntries(lists))],
    [moduleAt('service/validation/compile'), () => validatorSource(resources)],
    ...(registry.some(({ keptTotals }) => keptTotals)
      ? []
      : [[moduleAt('service/recounting'), () => 'export const recounting = undefined;'] as const]),
    // Functions with all resources contain the door for agents too, and none of them answers an agent.
    ...(served === 'mcp'
      ? []
      : [[moduleAt('functions/mcp/door'), () => 'export const answerAgent = undefined;'] as const]),
  ]);
  return {
    name: 'modules',
    resolveId: (id) => (id === entry && served !== undefined ? `\0${id}` : undefined),
    load: (id) => {
      const source = modules.get(id)?.();
      return source === undefined ? undefined : { code: source, moduleType: 'js' };
    },
    transform: (code, id) => {
      const defined = own.find(({ file }) => file === id);
      // The lines above stay where they are, so the map of the source holds.
      return defined ? { code: `${code}\n${connection(defined)}`, map: null } : undefined;
    },
  };
}
