import type { Action } from '../../shared/resource/actions/action.ts';
import { found, refused } from '../../shared/resource/actions/outcome.ts';
import { exists } from '../../shared/store/items/references.ts';

/** The table that a deep check reads. Every deployment has it. */
export const PROBED = { resource: 'operations', key: 'operationId' };

/** The values of `deep` that ask for a deep check: `?deep` and `?deep=true`. */
export const DEEP = ['true', ''];

/** Milliseconds for which a deep check holds, so that the requests of anyone cause few reads. */
const FRESH = 5000;

let last: { readonly at: number; readonly check: Promise<unknown> } | undefined;

/** Reads an item that does not exist. @throws Unavailable if DynamoDB does not respond. */
function dynamoDbResponds(now: number): Promise<unknown> {
  if (last === undefined || now - last.at >= FRESH) last = { at: now, check: exists(PROBED, 0) };
  return last.check;
}

/**
 * The health of the service. With `deep`, the service also reads from DynamoDB, and responds with 503 if DynamoDB does
 * not respond. Without it, the service calls no engine, so that a probe costs no read.
 */
export const health: Action = async ({ query, now }) => {
  const [deep] = query.deep ?? [];
  if (deep !== undefined) {
    if (!DEEP.includes(deep)) {
      const errors = [{ parameter: 'deep', detail: 'must be true, or have no value' }];
      return refused('validation-error', 'The query is not valid. Correct the named parameters', {
        errors,
      });
    }
    await dynamoDbResponds(now);
  }
  return found({
    kind: 'document',
    name: 'health',
    members: { status: 'pass' },
    headers: { 'Cache-Control': 'no-store' },
  });
};
