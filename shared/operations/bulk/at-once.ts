/** The number of reads and single writes that run at the same time. */
const AT_ONCE = 16;

/** Calls `each` for all elements, several at the same time. Returns the results in the order of the elements. */
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
