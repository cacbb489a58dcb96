import type { Options } from '../../options.ts';

/** The environment variable with the number of partitions, if it is not the default. */
export const shardsVariable = ({ shards }: Options): Record<string, string> =>
  shards === undefined ? {} : { SHARDS: String(shards) };
