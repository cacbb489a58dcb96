/** Reads and single writes under way at a time. */
const AT_ONCE = 16;

/** Does the same for each, several at a time, and answers in their order. */
export async function atOnce<One, Result>(
  all: readonly One[],
  each: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < all.length) {
      const at = next++;
      results[at] = await each(all[at] as One);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, work));
  return results;
}
