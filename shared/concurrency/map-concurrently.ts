/** How many calls of one kind run at the same time. */
export const CONCURRENCY = {
  /** Reads and single writes of DynamoDB. The client has 50 connections. */
  items: 16,
  /** Files of one request. Each waits for S3 and DynamoDB several times. */
  files: 8,
  /** Parts that S3 copies. The function itself only waits. */
  parts: 50,
} as const;

/**
 * Calls `each` for all elements, at most `limit` at the same time. Returns the results in the order of the elements.
 * After a failure it starts no further call and throws.
 */
export async function mapConcurrently<One, Result>(
  limit: number,
  all: readonly One[],
  map: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = all.entries();
  let isFailed = false;
  const work = async (): Promise<void> => {
    for (const [at, one] of waiting) {
      if (isFailed) return;
      try {
        results[at] = await map(one);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, all.length) }, work));
  return results;
}
