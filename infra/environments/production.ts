import type { Environment } from '../options.ts';

/**
 * The deployment with real data. Add `account` and `region`, so that no other credentials deploy it, `alarmEmail`,
 * `monthlyBudget`, and the address of your `runbook`.
 */
export const production: Environment = {
  observability: 'full',
  waf: 'count',
  logRetentionDays: 90,
};
