import { endpointsIn } from '../endpoints.ts';

/** The prefix of all local names. Services that share external engines need different prefixes. */
const stack = process.env.STACK_NAME || 'resource-api';

/** The local names of the parts of the stack. */
export const names = {
  table: (resource: string) => `${stack}-${resource}`,
  bucket: `${stack}-files`,
  queue: `${stack}-operations`,
  deadLetterQueue: `${stack}-operations-dead`,
  uploadsQueue: `${stack}-uploads`,
  largeUploadsQueue: `${stack}-large-uploads`,
  uploadsDeadLetterQueue: `${stack}-uploads-dead`,
  changesDeadLetterQueue: `${stack}-changes-dead`,
  provenQueue: `${stack}-webhooks-proven`,
  webhooksQueue: `${stack}-webhooks`,
  fanOutQueue: `${stack}-fanout`,
  scheduleQueue: (name: string) => `${stack}-schedule-${name}`,
  schedulesDeadLetterQueue: `${stack}-schedules-dead`,
  webhooksDeadLetterQueue: `${stack}-webhooks-dead`,
  bus: stack,
} as const;

const sqs = (): string => endpointsIn(process.env).sqs ?? 'https://sqs.us-east-1.amazonaws.com';

/** Returns the ARN of a queue. */
export const queueArn = (url: string): string =>
  `arn:aws:sqs:us-east-1:000000000000:${url.split('/').at(-1)}`;

/** Returns the URL of a queue. `origin`: the address of the engines, if clients reach them over the network. */
export const queueUrl = (name: string, origin = sqs()): string => `${origin}/000000000000/${name}`;
