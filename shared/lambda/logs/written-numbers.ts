import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { SAFE_METHODS } from '../../http/request.ts';
import type { Resource } from '../../resource/resource.ts';

/** The numbers in a log line that say what a request has written. */
interface WrittenNumbers {
  /** The identifier of the item: the new one, or the one in the path. */
  readonly id?: number;
  /** The operation that the request began. */
  readonly operationId?: number;
}

/** A number at the end of `Location`, perhaps of an operation. */
const LOCATION = /(\/operations)?\/(\d+)$/;

/** A number in a path. */
const NUMBER = /^\d{1,16}$/;

/**
 * The numbers of the item and the operation that a request has written. It leaves out identifiers that clients
 * choose: a filename can contain personal data. A safe method writes nothing.
 */
export function writtenBy(
  { description }: Pick<Resource, 'description'>,
  { httpMethod, pathParameters }: Pick<APIGatewayProxyEvent, 'httpMethod' | 'pathParameters'>,
  { headers }: Pick<APIGatewayProxyResult, 'headers'>,
): WrittenNumbers {
  if (SAFE_METHODS.has(httpMethod)) return {};
  const [, operation, location] = LOCATION.exec(String(headers?.Location ?? '')) ?? [];
  const begun = operation === undefined ? {} : { operationId: Number(location) };
  if (description?.identifier.kind !== 'integer') return begun;
  const id = (operation === undefined ? location : undefined) ?? pathParameters?.id;
  return id !== undefined && NUMBER.test(id) ? { id: Number(id), ...begun } : begun;
}
