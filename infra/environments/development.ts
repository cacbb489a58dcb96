import type { Environment } from '../options.ts';

/** A deployment to try things: it costs little, changes at once, and leaves no data behind. */
export const development: Environment = {
  name: 'resource-api-development',
  data: 'destroy',
  deployment: 'all-at-once',
  observability: 'none',
  logRetentionDays: 7,
};
