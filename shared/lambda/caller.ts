import type { APIGatewayProxyEvent } from 'aws-lambda';
import { config } from '../aws/config.ts';
import { callerHash } from '../resource/access/caller-hash.ts';

/** The hash of a request's caller as a property of a log line; none if the caller or the key is unknown. */
export function callerOf({ requestContext: { authorizer } }: Pick<APIGatewayProxyEvent, 'requestContext'>): {
  readonly caller?: string;
} {
  const subject: unknown = authorizer?.principalId;
  const key = config.auditKey();
  return typeof subject === 'string' && key !== undefined ? { caller: callerHash(key, subject) } : {};
}
