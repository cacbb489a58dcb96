import type { Attributes } from '../items/attributes.ts';
import { VERSION } from '../items/table.ts';

/** The condition of a write, as parameters of a DynamoDB request. */
interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Attributes;
}

/** The condition of a removal: the item exists with this version, and its internal count `unused` is zero. */
export function removalCondition(
  key: string,
  version: number | undefined,
  unused: string | undefined,
): Condition {
  const conditions = ['attribute_exists(#id)'];
  const names: Record<string, string> = { '#id': key };
  const values: Attributes = {};
  if (version !== undefined) {
    conditions.push('#version = :version');
    names['#version'] = VERSION;
    values[':version'] = { N: String(version) };
  }
  if (unused !== undefined) {
    conditions.push('(attribute_not_exists(#count) OR #count <= :none)');
    names['#count'] = `_${unused}`;
    values[':none'] = { N: '0' };
  }
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
}
