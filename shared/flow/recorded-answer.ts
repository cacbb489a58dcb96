import type { Outcome, RecordedAnswer } from '../resource/actions/outcome.ts';
import { type Ending, endWith } from './ending.ts';
import type { Answerable } from './exchange.ts';
import { scopesIn } from './response/validators/validators.ts';

/** The statuses that a recorded answer can have. */
export const RECORDED = [200, 201, 202, 204, 207, 303] as const;

export type RecordedStatus = (typeof RECORDED)[number];

/** Ends with a recorded answer. `more`: header fields to add. @throws Error when the record has another status */
export function endWithRecorded(
  { status: recorded, headers, body, count }: RecordedAnswer,
  more: Readonly<Record<string, string>>,
): Ending<RecordedStatus> {
  const status = RECORDED.find((one) => one === recorded);
  if (status === undefined) throw new Error(`A recorded answer has the status ${recorded}`);
  return endWith(status, { ...headers, ...more }, { body, count });
}

/**
 * The answer that an action records with its effect. The outcome describes the whole effect, so the response can be
 * rendered before the effect is committed. Only text can be recorded: a response to a write has no other body.
 */
export async function recordedAnswer(exchange: Answerable): Promise<RecordedAnswer> {
  const count = exchange.asOperation ? { count: countOf(exchange.outcome) } : {};
  const { status, headers, body } = await exchange.respond(exchange);
  const scopes = scopesIn(exchange);
  return {
    status,
    headers,
    body: typeof body === 'string' ? body : undefined,
    ...count,
    ...(body !== undefined && scopes.length > 0 ? { scopes } : {}),
  };
}

/** The number of items that an outcome covers. */
export function countOf(outcome: Outcome): number {
  if (outcome.kind === 'several') return outcome.results.filter(({ kind }) => kind !== 'refused').length;
  if (outcome.kind === 'done') return outcome.count ?? 1;
  return 'state' in outcome && outcome.state.kind === 'list' ? outcome.state.page.items.length : 1;
}
