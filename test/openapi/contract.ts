import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Json, resolver } from '../../openapi/evolution/json.ts';
import type { OpenApi } from '../../openapi/model.ts';
import type { Answer } from '../support/client/client.ts';

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
  const validate = ajv.compile({ $ref: `openapi#/${pointer.join('/')}` });
  return validate(value) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
}

/** The target of a reference in the description, or the place itself without a reference. */
export function placeOf(at: readonly string[]): readonly string[] {
  const value = at.reduce<unknown>((one, token) => (one as Json | undefined)?.[token], document);
  const { $ref } = (value ?? {}) as { $ref?: string };
  return $ref?.startsWith('#/') ? $ref.slice(2).split('/') : at;
}

/**
 * The template of the description that matches a path. A template with the query of the path has precedence, and then
 * one with fewer variables.
 */
export function templateOf(path: string): string | undefined {
  const [place = '', query] = path.split('?');
  const segments = place.split('/');
  const templates = Object.keys(document.paths);
  const ofBytes = templates.filter((template) => template.includes('?') && template.split('?')[1] === query);
  const fits = (ofBytes.length > 0 ? ofBytes : templates.filter((one) => !one.includes('?'))).filter(
    (template) => {
      const parts = (template.split('?')[0] as string).split('/');
      return (
        parts.length === segments.length &&
        parts.every((part, at) => part.startsWith('{') || part === segments[at])
      );
    },
  );
  return fits.sort((one, other) => one.split('{').length - other.split('{').length)[0];
}

/** Header fields of the connection or of the content alone. */
const UNDESCRIBED = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/** The parts of a response that the description lacks: status, media type, header fields, content. */
export function violations(method: string, path: string, answer: Answer): string[] {
  const template = templateOf(path);
  const item = template === undefined ? undefined : document.paths[template];
  const operation = resolve(item?.[method.toLowerCase()]);
  if (!operation) return [`${method} ${path} is not described`];
  const responses = operation.responses as Json;
  const status = String(answer.status) in responses ? String(answer.status) : 'default';
  const at = placeOf(['paths', template as string, method.toLowerCase(), 'responses', status]);
  const response = resolve(responses[status]) as Json;
  return [
    ...(status === 'default' && answer.status < 400 ? [`status ${answer.status} is not described`] : []),
    ...headerFaults(response, answer),
    ...(method === 'HEAD' || answer.bytes.length === 0 ? [] : contentFaults(at, response, answer)),
  ];
}

function headerFaults({ headers = {} }: Json, answer: Answer): string[] {
  const described = new Map(
    Object.entries(headers as Json).map(([name, one]) => [name.toLowerCase(), resolve(one) as Json]),
  );
  return Object.entries(answer.headers).flatMap(([name, text]) => {
    if (UNDESCRIBED.has(name) || text === undefined) return [];
    const header = described.get(name);
    if (!header) return [`${name} is not described`];
    const { type } = header.schema as { type: string };
    const value = type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text;
    return ajv.validate(header.schema as object, value) ? [] : [`${name}: ${text} ${ajv.errorsText()}`];
  });
}

function contentFaults(at: readonly string[], { content = {} }: Json, { headers, text }: Answer): string[] {
  const given = headers['content-type'] ?? '';
  const essence = (given.split(';')[0] as string).trim();
  const candidates = [given, essence, `${essence.split('/')[0]}/*`, '*/*'];
  const types = Object.keys(content as Json);
  const key = candidates.flatMap((one) =>
    types.filter((type) => type === one || type.split(';')[0] === one),
  )[0];
  if (key === undefined) return [`${given} is not described`];
  if (!/[/+]json$/.test(essence) || !('schema' in ((content as Record<string, Json>)[key] as Json)))
    return [];
  return schemaFaults([...at, 'content', key, 'schema'], JSON.parse(text));
}
