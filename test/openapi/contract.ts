import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Json, resolver } from '../../openapi/evolution/json.ts';
import type { OpenApi } from '../../openapi/model.ts';
import { problemStatuses } from '../../openapi/responses/statuses.ts';
import { successes } from '../../openapi/responses/successes.ts';
import type { Target } from '../../openapi/targets.ts';
import { registry } from '../../service/registry.ts';
import { PROBLEM_TYPES } from '../../shared/flow/response/problem.ts';
import { offers } from '../../shared/flow/steps/pure/negotiate.ts';
import type { RouteMethod } from '../../shared/resource/facts.ts';
import { acceptsForms, addressOf } from '../../shared/resource/route.ts';
import type { Answer } from '../support/client/client.ts';
import { FORM_SCHEMA } from './form-schema.ts';
import { UNDESCRIBED_FIELDS, undescribedNames } from './header-fields.ts';

/** The committed description. */
export const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as OpenApi;

const resolve = resolver(document as unknown as Json);

/** A schema validator that knows the description by name and ignores the keywords of OpenAPI (xml, example). */
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(document, 'openapi');

/** The errors of a value against the schema at a place of the description. `at`: tokens of a JSON Pointer. */
export function schemaFaults(at: readonly string[], value: unknown): string[] {
  const pointer = at.map((token) => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1')));
  return faultsOf({ $ref: `openapi#/${pointer.join('/')}` }, value);
}

function faultsOf(schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
}

/** The target of a reference in the description, or the place itself without a reference. */
export function placeOf(at: readonly string[]): readonly string[] {
  const value = at.reduce<unknown>((one, token) => (one as Json | undefined)?.[token], document);
  const { $ref } = (value ?? {}) as { $ref?: string };
  return $ref?.startsWith('#/') ? $ref.slice(2).split('/') : at;
}

/** Each route with the path that it has alone. */
const ROUTES = registry.flatMap((resource) =>
  resource.routes
    .filter(({ binary }) => binary?.kind !== 'undeclared')
    .map((route) => ({ resource, route, address: addressOf(route) })),
);

/**
 * The routes that match a path, with fewer variables first. `fields` of a path names the binary property of a route, if it
 * has one.
 */
function routesAt(path: string): typeof ROUTES {
  const [place = '', query] = path.split('?');
  const named = /^fields=(\w+)$/.exec(query ?? '')?.[1];
  const ofBytes = ROUTES.filter(
    ({ route: { binary } }) => binary?.kind === 'declared' && binary.name === named,
  );
  const segments = place.split('/');
  const fits = (template: string) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, at) => part.startsWith('{') || part === segments[at])
    );
  };
  const bytes = ofBytes.filter(({ route }) => fits(route.path));
  if (bytes.length > 0) return bytes;
  return ROUTES.filter(({ address }) => fits(address)).sort(
    (one, other) => one.address.split('{').length - other.address.split('{').length,
  );
}

/** Header fields of the connection or of the content alone. */
const OF_CONNECTION = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/** What a response can have: its statuses, and of its status the names of header fields and the media types. */
interface Expected {
  readonly statuses: readonly number[];
  readonly headers: readonly string[];
  readonly types: readonly string[];
}

/** The statuses of OPTIONS. Source: RFC 9110 §9.3.7. */
const OF_OPTIONS = [204, 400, 429, 500];

/** The types of the steps say which problems a request can get: the description has the most important ones only. */
function expectedOf(target: Target, method: string, status: number): Expected {
  const { endpoint, route } = target;
  const shown = successes(target);
  const isForm = target.method === 'POST' && acceptsForms(target.resource, endpoint);
  // The removal of an item by a form has no state to show.
  const described = Object.keys(shown)
    .map(Number)
    .filter((one) => endpoint.form !== 'delete' || target.method === 'GET' || one !== 200);
  const response = shown[String(status)];
  const content = status < 400 ? Object.keys(response?.content ?? {}) : [];
  const offered = offers(endpoint, method).flatMap(({ mediaType }) => mediaType);
  const statuses = [
    ...described,
    ...(isForm || endpoint.content === 'files' ? [303] : []),
    ...problemStatuses(target, route.access !== 'open'),
  ];
  return {
    statuses: method === 'HEAD' ? statuses.filter((one) => one !== 206 && one !== 416) : statuses,
    headers: Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase()),
    types: status < 400 ? [...content, ...(endpoint.shape === 'bytes' ? [] : offered)] : PROBLEM_TYPES,
  };
}

/** The parts of a response that nothing promises: status, media type, header fields, content. */
export function violations(method: string, path: string, answer: Answer): string[] {
  const name = method === 'HEAD' ? 'GET' : method;
  const found = routesAt(path).find(({ route }) => name === 'OPTIONS' || name in route.endpoints);
  const endpoint = found?.route.endpoints[name as RouteMethod];
  if (!found) return [`${method} ${path} is not a route`];
  const { resource, route, address } = found;
  const target = endpoint && { resource, route, endpoint, method: name as RouteMethod };
  const { statuses, headers, types } = target
    ? expectedOf(target, method, answer.status)
    : { statuses: OF_OPTIONS, headers: [], types: PROBLEM_TYPES };
  return [
    ...(statuses.includes(answer.status) ? [] : [`status ${answer.status} is not described`]),
    ...headerFaults([...headers, ...undescribedNames(method, answer.status)], answer),
    ...(method === 'HEAD' || answer.bytes.length === 0 ? [] : contentFaults(types, answer)),
    ...(method === 'HEAD' ? [] : schemaFaultsOf(address, target, answer)),
  ];
}

const described = new Map(
  Object.entries(document.components.headers ?? {}).map(([name, one]) => [name.toLowerCase(), one as Json]),
);

/** The schema of the value of a header field. */
const schemaOf = (name: string): object | undefined =>
  (described.get(`${name.replaceAll('-', '')}header`)?.schema as object | undefined) ??
  UNDESCRIBED_FIELDS[name];

function headerFaults(names: readonly string[], answer: Answer): string[] {
  return Object.entries(answer.headers).flatMap(([name, text]) => {
    if (OF_CONNECTION.has(name) || text === undefined) return [];
    const schema = schemaOf(name);
    if (!schema || !names.includes(name)) return [`${name} is not described`];
    const { type } = schema as { type: string };
    const value = type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text;
    return ajv.validate(schema, value) ? [] : [`${name}: ${text} ${ajv.errorsText()}`];
  });
}

const essenceOf = ({ headers }: Answer): string =>
  ((headers['content-type'] ?? '').split(';')[0] ?? '').trim();

function contentFaults(types: readonly string[], answer: Answer): string[] {
  const essence = essenceOf(answer);
  const candidates = [essence, `${essence.split('/')[0]}/*`, '*/*'];
  return types.some((type) => candidates.includes(type.split(';')[0] ?? ''))
    ? []
    : [`${essence} is not described`];
}

/** The faults of content in JSON. Part of stored bytes is not JSON. */
function schemaFaultsOf(address: string, target: Target | undefined, answer: Answer): string[] {
  const essence = essenceOf(answer);
  if (!/[/+]json$/.test(essence) || answer.bytes.length === 0 || answer.status === 206) return [];
  const value: unknown = JSON.parse(answer.text);
  if (answer.status >= 400) return schemaFaults(['components', 'schemas', 'Problem'], value);
  if (!target) return ['OPTIONS has no content'];
  if (target.endpoint.shape === 'form') return faultsOf(FORM_SCHEMA, value);
  const status = String(answer.status);
  const operation = resolve(document.paths[address]?.[target.method.toLowerCase()]);
  // The description has no forms, but the items to which they lead.
  const responses = operation ? operation.responses : successes(target);
  const content = (resolve((responses as Json)[status])?.content ?? {}) as Readonly<Record<string, Json>>;
  const key = Object.keys(content).find((type) => type === '*/*' || type.split(';')[0] === essence);
  const schema = content[key ?? '']?.schema as Json | undefined;
  if (!schema) return [`status ${status} has no described content`];
  if (schema.format === 'binary') return [];
  return faultsOf('$ref' in schema ? { $ref: `openapi${schema.$ref}` } : schema, value);
}
