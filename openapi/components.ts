import { STATUS_CODES } from 'node:http';
import { capitalize } from '../shared/resource/description/fields.ts';
import { type OpenApi, type Parameter, type PathItem, type Reference, type Response, ref } from './model.ts';
import { pascal } from './texts.ts';

/** One of the places in the document that have the same response or parameter. */
interface Use {
  readonly path: string;
  /** The methods of the place, in lower case: one, or all of the path if they share a parameter. */
  readonly methods: readonly string[];
  /** Of a response. */
  readonly status?: string;
}

/** A response or parameter, and all of its places. */
interface Shared<Value> {
  readonly key: string;
  readonly value: Value;
  readonly uses: readonly Use[];
}

/** A difference between components, as a part of a name. `all`: the components that the name must separate. */
type Trait<Value> = (one: Shared<Value>, all: readonly Shared<Value>[]) => string;

/**
 * Returns the same document with each repeated response or parameter as one component, to which its places refer, and
 * without unused components. A response or parameter of a single place stays there. The names depend on the components
 * and not on their order.
 *
 * Source: OpenAPI 3.1.1 §4.8.7, §4.8.23.
 */
export function shareComponents(document: OpenApi): OpenApi {
  const responses = new Map<string, Shared<Response>>();
  const parameters = new Map<string, Shared<Parameter>>();
  inEveryPath(document.paths, collecting(responses), collecting(parameters));
  const taken = new Set(Object.values(document.components).flatMap(lowerNames));
  const namedResponses = names(responses, {
    traits: [kindOf, wordsOf, headersOf, pathOf],
    suffix: '',
    taken,
  });
  const namedParameters = names(parameters, {
    traits: [labelOf, pathOf, methodsOf],
    suffix: 'Parameter',
    taken,
  });
  const components = {
    ...document.components,
    responses: { ...document.components.responses, ...sorted(namedResponses) },
    parameters: { ...document.components.parameters, ...sorted(namedParameters) },
  };
  return withoutUnused({
    ...document,
    components,
    paths: inEveryPath(
      document.paths,
      referring('responses', namedResponses),
      referring('parameters', namedParameters),
    ),
  });
}

/** Returns the same document without the components that no operation needs. */
export function withoutUnused({ components, ...document }: OpenApi): OpenApi {
  const used = new Set<string>();
  const find = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      find(components[kind]?.[name] ?? {});
    }
  };
  find(document.paths);
  const kept = Object.entries(components).map(([kind, all]) => [
    kind,
    kind === 'securitySchemes'
      ? all
      : Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
  ]);
  return { ...document, components: Object.fromEntries(kept) };
}

/** Generators of clients make a type and a file of each component, so no two names differ in case alone. */
const lowerNames = (components: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(components).map((name) => name.toLowerCase());

/** Returns the text of a value, whatever the order of its properties. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );

/** Equal for equal parameters, and for equal responses with the same status. */
const keyOf = (value: unknown, { status }: Use): string => canonical([status, value]);

/** Adds the places of each distinct value to the map. */
const collecting =
  <Value>(all: Map<string, Shared<Value>>): Visit<Value> =>
  (value, use) => {
    const key = keyOf(value, use);
    all.set(key, { key, value, uses: [...(all.get(key)?.uses ?? []), use] });
    return value;
  };

type Visit<Value> = (value: Value, use: Use) => Value | Reference;

/** Returns the paths with the results of both functions for every response and parameter except references. */
function inEveryPath(
  paths: OpenApi['paths'],
  response: Visit<Response>,
  parameter: Visit<Parameter>,
): OpenApi['paths'] {
  const visited = (list: readonly (Parameter | Reference)[], use: Use) =>
    list.map((one) => ('$ref' in one ? one : parameter(one, use)));
  const items = Object.entries(paths).map(([path, item]): [string, PathItem] => {
    const methods = Object.keys(item).filter((name) => name !== 'parameters');
    const entries = Object.entries(item).map(([method, one]) => {
      if (!('responses' in one)) return [method, visited(one, { path, methods })];
      const use = { path, methods: [method] };
      const responses = Object.entries(one.responses).map(([status, value]) => [
        status,
        // A response of every operation stays in its place, where tools that count responses see it.
        '$ref' in value || status === 'default' ? value : response(value, { ...use, status }),
      ]);
      return [
        method,
        { ...one, parameters: visited(one.parameters, use), responses: Object.fromEntries(responses) },
      ];
    });
    return [path, Object.fromEntries(entries)];
  });
  return Object.fromEntries(items);
}

type Named<Value> = ReadonlyMap<string, readonly [name: string, value: Value]>;

/** How the components of a kind get their names. `taken`: the names of all other components, in lower case. */
interface Naming<Value> {
  readonly traits: readonly Trait<Value>[];
  readonly suffix: string;
  readonly taken: ReadonlySet<string>;
}

/** Returns the component of each repeated value, by its key. */
function names<Value>(all: ReadonlyMap<string, Shared<Value>>, naming: Naming<Value>): Named<Value> {
  const repeated = [...all.values()].filter(({ uses }) => uses.length > 1);
  return new Map(
    separated('', repeated, naming).map(([name, { key, value }]) => [key, [name + naming.suffix, value]]),
  );
}

/** Adds traits to a name until each component of the group has its own, also without regard to case. */
function separated<Value>(
  name: string,
  group: readonly Shared<Value>[],
  { traits: [trait, ...traits], suffix, taken }: Naming<Value>,
): [string, Shared<Value>][] {
  const isFree = name !== '' && !taken.has((name + suffix).toLowerCase());
  const [only] = group;
  if (!only) return [];
  if (isFree && group.length === 1) return [[name, only]];
  if (!trait) throw new Error(`${group.length} components would have the name ${name}${suffix}`);
  const parts = [...Map.groupBy(group, (one) => trait(one, group).toLowerCase()).values()];
  return parts.flatMap((part) => {
    const [first] = part.map((one) => trait(one, group)).sort();
    const longer = isFree && parts.length === 1 ? name : name + first;
    return separated(longer, part, { traits, suffix, taken });
  });
}

const referring =
  <Value>(kind: 'responses' | 'parameters', named: Named<Value>): Visit<Value> =>
  (value, use) => {
    const [name] = named.get(keyOf(value, use)) ?? [];
    return name === undefined ? value : ref(kind, name);
  };

const sorted = <Value>(named: Named<Value>): Record<string, Value> =>
  Object.fromEntries([...named.values()].sort(([one], [other]) => (one < other ? -1 : 1)));

/** Words of descriptions that say nothing in a name. */
const FILLERS = new Set(['a', 'an', 'has', 'is', 'it', 'of', 'service', 'the']);

/** Returns the words of the first sentence: `The service has removed it.` is `Removed`. */
const firstSentence = (text: string): string =>
  (text.split('. ')[0] ?? '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => !FILLERS.has(word))
    .map(capitalize)
    .join('');

/** Returns the name of a response from its content and its status: `MemberCreated`, `NotModified`. */
const kindOf: Trait<Response> = ({ value: { content = {} }, uses }) => {
  const schemas = Object.values(content).flatMap(({ schema }) => [
    ...canonical(schema ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g),
  ]);
  const types = Object.keys(content);
  const range = types.find((type) => type.endsWith('/*'));
  const ofTypes = range === undefined ? types.map((type) => type.replace(/^\w+\//, '')) : [bytesIn(range)];
  const subjects = schemas.length > 0 ? schemas.map(([, name = '']) => name) : ofTypes;
  const subject = [...new Set(subjects.map(pascal))].join('Or');
  return subject + pascal(STATUS_CODES[uses[0]?.status ?? ''] ?? 'Other');
};

/** `image/*` is `Image`, and any bytes are `Bytes`. */
const bytesIn = (range: string): string => (range === '*/*' ? 'Bytes' : (range.split('/')[0] ?? ''));

const wordsOf: Trait<Response> = ({ value }) => firstSentence(value.description);

/** Returns the header fields that this response has and another one lacks. */
const headersOf: Trait<Response> = ({ value }, all) => {
  const own = Object.keys(value.headers ?? {}).filter((name) =>
    all.some(({ value: other }) => !(name in (other.headers ?? {}))),
  );
  return own.length > 0 ? `With${own.map(pascal).join('And')}` : '';
};

/** Returns the description of a parameter, if it is a label such as `Order number.`, or else its name. */
const labelOf: Trait<Parameter> = ({ value: { name, description } }) =>
  description.split(' ').length > 3 ? pascal(name) : firstSentence(description);

/** Returns the shortest path with the component. */
const pathOf: Trait<unknown> = ({ uses }) => {
  const [path = ''] = uses
    .map((use) => use.path)
    .sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  return `Of${pascal(path.replace(/\{(\w+)\}/g, 'By/$1'))}`;
};

/** Returns the methods with the parameter. */
const methodsOf: Trait<Parameter> = ({ uses }) =>
  `For${[...new Set(uses.flatMap(({ methods }) => methods))].sort().map(capitalize).join('And')}`;
