import { Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Options } from '../../options.ts';

/** Percent of the budget at which AWS sends the e-mail. */
const ENOUGH = 80;

/**
 * Sends an e-mail before the costs of the service exceed the monthly budget. Its name has the region, because an
 * account has one budget of a name in all regions.
 *
 * Source: AWS CloudFormation User Guide, "AWS::Budgets::Budget BudgetData".
 */
export function monthlyBudget(
  scope: Construct,
  id: string,
  { name, monthlyBudget: amount, alarmEmail }: Options,
) {
  if (amount === undefined || alarmEmail === undefined) return;
  const notification = { comparisonOperator: 'GREATER_THAN', threshold: ENOUGH, thresholdType: 'PERCENTAGE' };
  const subscribers = [{ subscriptionType: 'EMAIL', address: alarmEmail }];
  new CfnBudget(scope, id, {
    budget: {
      budgetName: `${name}-${Aws.REGION}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount, unit: 'USD' },
      // The stack sets this tag on all resources. AWS Budgets uses it after the operator activates it for cost
      // allocation.
      costFilters: { TagKeyValue: [`user:service$${name}`] },
    },
    notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
      notification: { ...notification, notificationType },
      subscribers,
    })),
  });
}
