import { createHash } from 'node:crypto';
import { Fault } from '../fault.ts';
import type { DynamoDb } from './dynamodb.ts';

const TEN_MINUTES = 600_000;

/**
 * Looks a ClientRequestToken up. Run it inside the transaction that will remember it.
 *
 * @returns read units per table name, if the same request succeeded in the last ten minutes
 * @throws IdempotentParameterMismatchException when the token came with another request
 *
 * Source: DynamoDB API Reference "TransactWriteItems", ClientRequestToken.
 */
export function replayed(
  database: DynamoDb,
  token: string,
  request: unknown,
): Record<string, number> | undefined {
  const { storage, clock } = database;
  storage.run('DELETE FROM token WHERE at <= ?', clock() - TEN_MINUTES);
  const known = storage.get<{ digest: string; reads: string }>(
    'SELECT digest, reads FROM token WHERE token = ?',
    token,
  );
  if (!known) return undefined;
  if (known.digest !== digest(request)) {
    throw new Fault(
      'IdempotentParameterMismatchException',
      'The request uses the same client token as a previous, but non-identical request',
    );
  }
  return JSON.parse(known.reads) as Record<string, number>;
}

/** Remembers that a request with this token succeeded. */
export function remember(
  database: DynamoDb,
  token: string,
  request: unknown,
  reads: Record<string, number>,
): void {
  database.storage.run(
    'INSERT INTO token (token, digest, at, reads) VALUES (?, ?, ?, ?)',
    token,
    digest(request),
    database.clock(),
    JSON.stringify(reads),
  );
}

function digest(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
