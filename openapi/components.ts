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
 * Returns the same document with each repeated response or parameter as one component, to which its places refer. A
 * response or parameter of a single place stays there. The names depend on the components and not on their order.
 *
 * Source: OpenAPI 3.1.1 §4.8.7, §4.8.23.
 */
export function shareComponents(document: OpenApi): OpenApi {
  const responses = new Map<string, Shared<Response>>();
  const parameters = new Map<string, Shared<Parameter>>();
  inEveryPath(document.paths, collecting(responses), collecting(parameters));
  const namedResponses = names(responses, [kindOf, wordsOf, headersOf, pathOf]);
  const namedParameters = names(parameters, [labelOf, pathOf, methodsOf]);
  return {
    ...document,
    paths: inEveryPath(
      document.paths,
      referring('responses', namedResponses),
      referring('parameters', namedParameters),
    ),
    components: {
      ...document.components,
      responses: { ...document.components.responses, ...components(namedResponses) },
      parameters: { ...document.components.parameters, ...components(namedParameters) },
    },
  };
}

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
        '$ref' in value ? value : response(value, { ...use, status }),
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

/** Returns the component of each repeated value, by its key. */
function names<Value>(
  all: ReadonlyMap<string, Shared<Value>>,
  [first, ...rest]: [Trait<Value>, ...Trait<Value>[]],
): Named<Value> {
  const repeated = [...all.values()].filter(({ uses }) => uses.length > 1);
  return new Map(
    [...Map.groupBy(repeated, (one) => first(one, repeated))]
      .flatMap(([name, group]) => separated(name, group, rest))
      .map(([name, { key, value }]) => [key, [name, value]]),
  );
}

/** Adds traits to a name until each component of the group has its own. */
function separated<Value>(
  name: string,
  group: readonly Shared<Value>[],
  [trait, ...rest]: readonly Trait<Value>[],
): [string, Shared<Value>][] {
  const [only] = group;
  if (only && group.length === 1) return [[name, only]];
  if (!trait) throw new Error(`${group.length} components would have the name ${name}`);
  const parts = [...Map.groupBy(group, (one) => trait(one, group))];
  return parts.flatMap(([more, part]) => separated(parts.length > 1 ? name + more : name, part, rest));
}

const referring =
  <Value>(kind: 'responses' | 'parameters', named: Named<Value>): Visit<Value> =>
  (value, use) => {
    const [name] = named.get(keyOf(value, use)) ?? [];
    return name === undefined ? value : ref(kind, name);
  };

const components = <Value>(named: Named<Value>): Record<string, Value> =>
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

/** Returns the name of a response from its content and its status: `MemberCreated`, `NotModified`, `HeadOK`. */
const kindOf: Trait<Response> = ({ value: { content = {} }, uses }) => {
  const alone = ['head', 'options'].find((method) => uses.every(({ methods }) => methods.includes(method)));
  const schemas = Object.values(content).flatMap(({ schema }) => [
    ...canonical(schema ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g),
  ]);
  const subjects = schemas.length > 0 ? schemas.map(([, name = '']) => name) : Object.keys(content);
  const subject = [...new Set(subjects.map((one) => pascal(one.replace(/^\w+\//, ''))))].join('Or');
  return capitalize(alone ?? '') + subject + pascal(STATUS_CODES[uses[0]?.status ?? ''] ?? 'Other');
};

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
