import { required } from './config.ts';

/** The configuration of the functions of subscriptions. */
export const webhookConfig = {
  /** The URLs of the queues: the lane of proven receivers, that of all others, and the fan-out. */
  provenQueue: (): string => required('PROVEN_QUEUE'),
  webhooksQueue: (): string => required('WEBHOOKS_QUEUE'),
  fanOutQueue: (): string => required('FANOUT_QUEUE'),
  /** The pauses after failed attempts to deliver an event, in ms. The last one repeats. Source: Specification 18.8. */
  pauses: (): readonly number[] =>
    (process.env.WEBHOOK_PAUSES ?? '5 60 300 1800 7200 21600 43200')
      .split(' ')
      .map((one) => Number(one) * 1000),
  /** The time after an event for attempts to deliver it, in ms: 3 days. */
  time: (): number => Number(process.env.WEBHOOK_SECONDS ?? 259_200) * 1000,
  /** The time in which a receiver must respond, in ms. */
  patience: (): number => Number(process.env.WEBHOOK_PATIENCE_SECONDS ?? 10) * 1000,
  /** The time of the lease of a receiver, in ms: a run has time for three attempts. */
  lease: (): number => 3 * webhookConfig.patience(),
  /** The most events that wait for one receiver. */
  most: (): number => Number(process.env.WEBHOOK_MOST ?? 10_000),
  /** True if subscriptions may lead to this machine, as on that of a developer. */
  loopback: (): boolean => process.env.WEBHOOK_LOOPBACK === 'true',
} as const;
