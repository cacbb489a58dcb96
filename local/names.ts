import { endpointsIn } from './endpoints.ts';

/** Several services share engines that others opened under different names. */
const stack = process.env.STACK_NAME || 'resource-api';

/** What the stack calls its parts, here. */
export const names = {
  table: (resource: string) => `${stack}-${resource}`,
  bucket: `${stack}-files`,
  queue: `${stack}-operations`,
  deadLetterQueue: `${stack}-operations-dead`,
  uploadsQueue: `${stack}-uploads`,
  uploadsDeadLetterQueue: `${stack}-uploads-dead`,
  bus: stack,
} as const;

const sqs = (): string => endpointsIn(process.env).sqs ?? 'https://sqs.us-east-1.amazonaws.com';

/** Where a queue is. `origin`: the address of the engines, where they are reached over the network. */
export const queueUrl = (name: string, origin = sqs()): string => `${origin}/000000000000/${name}`;
