/** The functions without a resource: a queue, a stream, a schedule, a log, CodeDeploy or API Gateway itself calls them. */
export const BACKGROUND: readonly string[] = [
  'audit',
  'authorizer',
  'dead-letters',
  'events',
  'fanout',
  'pre-traffic',
  'sweeper',
  'uploads',
  'webhooks',
  'worker',
];

/** The functions whose bundles contain all resources. */
export const FOR_ALL: readonly string[] = BACKGROUND.filter(
  (name) => !['audit', 'authorizer', 'pre-traffic'].includes(name),
);
