import { type Problem, problem } from '../../http/problem.ts';

/** Maximum bytes of the JSON text of an item: DynamoDB stores at most 400 KB. Source: Specification 10.10. */
export const MAXIMUM_ENTITY = 256 * 1024;

/** Maximum bytes of it with the values of the service. Sort keys and the names of bytes are in the rest. */
export const MAXIMUM_VALUES = 320 * 1024;

/** The problem of values that are too long. */
export const tooLargeEntity = (
  advice = `An item has at most ${MAXIMUM_ENTITY} bytes. Store large values as files`,
): Problem<'payload-too-large'> =>
  problem('payload-too-large', advice, { members: { maximum: MAXIMUM_ENTITY } });
