import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { SAFE_METHODS } from '../../http/request.ts';
import type { Resource } from '../../resource/resource.ts';

/** The numbers in a log line that say what a request has written. */
interface WrittenNumbers {
  /** The identifier of the item: the new one, or the one in the path. */
  readonly id?: number;
  /** The identifier of the item of another resource below which the request has written. */
  readonly parentId?: number;
  /** The operation that the request began. */
  readonly operationId?: number;
}

/** A number at the end of the path in a header field, perhaps of an operation. A form leads to a page with a query. */
const LOCATION = /(\/operations)?\/(\d+)(?:\?|$)/;

/** A number in a path. */
const NUMBER = /^\d{1,16}$/;

/**
 * Returns the numbers of the item and the operation that a request has written. It leaves out identifiers that clients
 * choose: a filename can contain personal data. A safe method writes nothing.
 */
export function writtenBy(
  { name, description }: Pick<Resource, 'name' | 'description'>,
  request: Pick<APIGatewayProxyEvent, 'httpMethod' | 'pathParameters' | 'resource'>,
  { headers }: Pick<APIGatewayProxyResult, 'headers'>,
): WrittenNumbers {
  const { httpMethod, pathParameters, resource: template } = request;
  if (SAFE_METHODS.has(httpMethod)) return {};
  const created = numberIn(headers?.Location);
  // An operation that has ended leads to its result.
  const begun = [created, numberIn(headers?.['Content-Location'])].find((one) => one?.isOfOperation);
  const operation = begun && name !== 'operations' ? { operationId: begun.number } : {};
  if (description?.identifier.kind !== 'integer') return operation;
  const inPath = NUMBER.test(pathParameters?.id ?? '') ? Number(pathParameters?.id) : undefined;
  const isOwn = template.startsWith(`/${name}/`);
  const id = created && !created.isOfOperation ? created.number : isOwn ? inPath : undefined;
  return {
    ...(id === undefined ? {} : { id }),
    ...(isOwn || inPath === undefined ? {} : { parentId: inPath }),
    ...operation,
  };
}

function numberIn(field: unknown): { readonly isOfOperation: boolean; readonly number: number } | undefined {
  const [, operation, digits] = LOCATION.exec(String(field ?? '')) ?? [];
  return digits === undefined
    ? undefined
    : { isOfOperation: operation !== undefined, number: Number(digits) };
}
