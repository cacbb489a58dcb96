import type { Options } from '../options.ts';

/** The variable that tells a function how its tables are spread, where that is not the usual. */
export const shardsVariable = ({ shards }: Options): Record<string, string> =>
  shards === undefined ? {} : { SHARDS: String(shards) };
