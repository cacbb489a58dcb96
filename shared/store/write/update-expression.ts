import type { Attributes } from '../items/attributes.ts';
import { VERSION, WRITE } from '../items/table.ts';

/** The changes and the condition of an UpdateItem request. */
export interface Update {
  readonly UpdateExpression: string;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Attributes;
}

/**
 * Sets the attributes in `wanted`, removes those in `removable` that are not in `wanted`, and increases the version.
 *
 * Conditions: The item exists. If `version` is given, the item has it. Each attribute in `same` has its wanted value
 * already, or is absent if none is wanted. Without a version, no earlier attempt of this write succeeded.
 *
 * All names are placeholders, because DynamoDB reserves many words.
 *
 * Source: Amazon DynamoDB Developer Guide, "Update expressions".
 */
export function updateExpression(
  key: string,
  wanted: Attributes,
  removable: readonly string[],
  version: number | undefined,
  same: readonly string[] = [],
): Update {
  const names: Record<string, string> = { '#id': key, '#version': VERSION };
  const values: Attributes = { ':one': { N: '1' } };
  const sets: string[] = [];
  const removes: string[] = [];
  const conditions = ['attribute_exists(#id)'];
  if (version !== undefined) conditions.push('#version = :version');
  let n = 0;
  for (const name of Object.keys(wanted)) {
    n += 1;
    names[`#a${n}`] = name;
    values[`:a${n}`] = wanted[name] as Attributes[string];
    sets.push(`#a${n} = :a${n}`);
    if (same.includes(name)) conditions.push(`#a${n} = :a${n}`);
    // After a lost response the SDK retries. Without this condition, the retry would change the item again.
    if (name === WRITE && version === undefined)
      conditions.push(`(attribute_not_exists(#a${n}) OR #a${n} <> :a${n})`);
  }
  for (const name of removable) {
    if (Object.hasOwn(wanted, name)) continue;
    n += 1;
    names[`#a${n}`] = name;
    removes.push(`#a${n}`);
    if (same.includes(name)) conditions.push(`attribute_not_exists(#a${n})`);
  }
  if (version !== undefined) values[':version'] = { N: String(version) };
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''} ADD #version :one`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
