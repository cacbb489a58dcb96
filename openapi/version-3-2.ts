import { isJson } from './evolution/json.ts';
import type { OpenApi } from './model.ts';

const JSON_LINES = 'application/jsonl';

/**
 * Returns the description in OpenAPI 3.2. It says which schema each line of JSON Lines has; in 3.1, these are only
 * texts.
 *
 * Source: OpenAPI Specification 3.2.0 §4.14 (Media Type Object, "Sequential Media Types").
 */
export function openApi32(document: OpenApi): object {
  const { schemas = {} } = document.components;

  /** Returns the schema of one item of a list, of an array, or of the first of several schemas that has one. */
  function itemOf(schema: unknown): unknown {
    if (!isJson(schema)) return undefined;
    const { $ref, type, items, properties, anyOf } = schema;
    if (typeof $ref === 'string') return itemOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)]);
    if (type === 'array') return items;
    if (isJson(properties)) return itemOf(properties.items);
    return Array.isArray(anyOf) ? anyOf.map(itemOf).find((one) => one !== undefined) : undefined;
  }

  const inside = (node: object): object =>
    Object.fromEntries(Object.entries(node).map(([name, one]) => [name, converted(one)]));

  function converted(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(converted);
    if (!isJson(value)) return value;
    const { [JSON_LINES]: lines, 'application/json': json } = value;
    const itemSchema = lines !== undefined && isJson(json) ? itemOf(json.schema) : undefined;
    return itemSchema === undefined ? inside(value) : { ...inside(value), [JSON_LINES]: { itemSchema } };
  }

  return { ...inside(document), openapi: '3.2.0' };
}
