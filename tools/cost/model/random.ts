/**
 * Pseudo-random numbers from 0 to below 1. The same seed gives the same numbers.
 *
 * Source: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003, the triple (13, 17, 5).
 */
export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** Draws ranks from 0 to below `count`. Rank r has the weight 1 / (r + 1)^exponent. */
export function zipf(count: number, exponent: number, random: () => number): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1) ** exponent;
    sums[rank] = sum;
  }
  return () => {
    const drawn = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
