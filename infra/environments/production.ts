import type { Environment } from '../options.ts';

/**
 * The deployment with real data. Add `account` and `region`, so that no other credentials deploy it, `alarmEmail`,
 * `monthlyBudget`, the address of your `runbook`, and the address of the API as `probe`.
 */
export const production: Environment = {
  waf: true,
  logRetentionDays: 90,
};
