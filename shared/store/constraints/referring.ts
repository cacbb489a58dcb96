import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Referrer } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { identifierOf, number } from '../form/attributes.ts';
import { compare, readExpression } from '../write/expression.ts';

/** A field of a resource that refers to items. It is a partition of the table, so an index has its values. */
export interface ReferenceField {
  readonly referrer: Referrer;
  readonly field: string;
}

/** Returns the index with the references of a field. */
export const indexOf = ({ referrer: { description }, field }: ReferenceField): string =>
  `${field}_by_${description.identifier.name}`;

/** The items of one page. */
const PAGE = 25;

/**
 * Yields the identifiers of the items that refer to an item, page by page, in their order. `after`: the item after
 * which to begin. The index may lack a reference of the last seconds, and it may still list an old one.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function* referring(
  reference: ReferenceField,
  id: number,
  after?: number,
): AsyncGenerator<readonly (number | string)[]> {
  const { referrer, field } = reference;
  const { name, description } = referrer;
  const key = description.identifier.name;
  let ExclusiveStartKey: Attributes | undefined =
    after === undefined ? undefined : { [key]: number(after), [field]: number(id) };
  do {
    const query = {
      TableName: config.tableName(name),
      IndexName: indexOf(reference),
      ...readExpression({ key: compare(field, '=', number(id)), only: [key] }),
      Limit: PAGE,
      ExclusiveStartKey,
    };
    const { Items = [], LastEvaluatedKey } = await orUnavailable(dynamoDb().send(new QueryCommand(query)));
    yield Items.map((row) => identifierOf(description, row));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}
