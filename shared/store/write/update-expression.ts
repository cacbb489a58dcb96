import type { Attributes } from '../items/attributes.ts';
import { VERSION, WRITE } from '../items/table.ts';

/** The parts of an UpdateItem request that say what to write, and when. */
export interface Update {
  readonly UpdateExpression: string;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Attributes;
}

/**
 * Sets every attribute that is wanted, removes the removable ones that are not, and increases the version,
 * if the item exists, still has this version where one is given, has the wanted values of `same` already (or none, where
 * none is wanted), and was not left by this very write.
 *
 * Source: Amazon DynamoDB Developer Guide, "Update expressions". Placeholders everywhere: many names are reserved.
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
    // Sent again because its answer was lost, it would be done again: see `ownRetry`.
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
