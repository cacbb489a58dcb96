import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Options } from '../../options.ts';

/**
 * `now`: clients notice it, or what the cause needs exists only for a day. A person must act at once. `ticket`: a
 * person must act within days.
 */
export type Urgency = 'now' | 'ticket';

/** Returns the topics of the alarms. `alarmEmail` gets both, unless `ticketEmail` gets the tickets. */
export const topics = (
  scope: Construct,
  { name, alarmEmail, ticketEmail = alarmEmail }: Options,
): Readonly<Record<Urgency, Topic>> => ({
  now: topic(scope, 'topic', { displayName: `Alarms of ${name}`, email: alarmEmail }),
  ticket: topic(scope, 'tickets', { displayName: `Tickets of ${name}`, email: ticketEmail }),
});

/**
 * Encrypted only in transit. CloudWatch cannot use the AWS managed key for topics, and a customer managed key has a
 * price for each request.
 */
function topic(
  scope: Construct,
  id: string,
  { displayName, email }: { displayName: string; email: string | undefined },
): Topic {
  const made = new Topic(scope, id, { displayName, enforceSSL: true });
  made.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [made.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': made.stack.account } },
    }),
  );
  if (email !== undefined) made.addSubscription(new EmailSubscription(email));
  return made;
}
