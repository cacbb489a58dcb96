/** The functions that serve no resource: a queue, a stream, a schedule or API Gateway itself calls them. */
export const BACKGROUND: readonly string[] = [
  'authorizer',
  'dead-letters',
  'events',
  'sweeper',
  'uploads',
  'worker',
];

/** Those of them that are for all resources, and hold them. */
export const FOR_ALL: readonly string[] = BACKGROUND.filter((name) => name !== 'authorizer');
