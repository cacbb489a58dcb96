import { readersOf } from '../shared/flow/request/accepted-formats.ts';
import { offers } from '../shared/flow/steps/pure/negotiate.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { requestBody } from './content.ts';
import { isJson } from './evolution/json.ts';
import type { Content, OpenApi } from './model.ts';
import { successes } from './responses/successes.ts';
import { pathsOf, type Target } from './targets.ts';

const JSON_LINES = 'application/jsonl';
const JSON_TYPE = 'application/json';

/** Returns the contents of a target that can also be JSON Lines. */
function sequencesOf(target: Target): readonly (Content | undefined)[] {
  const { endpoint, method } = target;
  const isIn = (types: readonly string[]) => types.includes(JSON_LINES);
  const sent = isIn(readersOf(endpoint).flatMap(({ mediaTypes }) => mediaTypes));
  const shown = isIn(offers(endpoint, method).map(({ mediaType }) => mediaType));
  return [
    sent ? requestBody(target)?.content : undefined,
    shown ? successes(target)[200]?.content : undefined,
  ];
}

/**
 * Returns the description of these resources in OpenAPI 3.2. It says which schema each line of JSON Lines has; 3.1 has no
 * words for it.
 *
 * Source: OpenAPI Specification 3.2.0 §4.14 (Media Type Object, "Sequential Media Types").
 */
export function openApi32(document: OpenApi, registry: readonly Resource[]): object {
  const { schemas = {} } = document.components;
  const targets = pathsOf(registry).flatMap(({ methods }) => [...methods.values()]);
  const sequences = new Set(targets.flatMap(sequencesOf).map((content) => JSON.stringify(content)));

  /** Returns the schema of one item of a list, of an array, or of the first of several schemas that has one. */
  function itemOf(schema: unknown): unknown {
    if (!isJson(schema)) return undefined;
    const { $ref, type, items, properties, oneOf } = schema;
    if (typeof $ref === 'string') return itemOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)]);
    if (type === 'array') return items;
    if (isJson(properties)) return itemOf(properties.items);
    return Array.isArray(oneOf) ? oneOf.map(itemOf).find((one) => one !== undefined) : undefined;
  }

  const inside = (node: object): object =>
    Object.fromEntries(Object.entries(node).map(([name, one]) => [name, converted(one)]));

  function converted(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(converted);
    if (!isJson(value)) return value;
    const { [JSON_TYPE]: json } = value;
    const itemSchema = isJson(json) && sequences.has(JSON.stringify(value)) ? itemOf(json.schema) : undefined;
    return itemSchema === undefined ? inside(value) : { ...inside(value), [JSON_LINES]: { itemSchema } };
  }

  return { ...inside(document), openapi: '3.2.0' };
}
