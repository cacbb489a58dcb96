import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { type Engines, inProcess } from 'embedded-aws';
import { handler as publish } from '../../../functions/events/handler.ts';
import { handler as fanOut } from '../../../functions/fanout/handler.ts';
import { handler as deliver } from '../../../functions/webhooks/handler.ts';
import { names, queueUrl } from '../../../local/provision/names.ts';
import { invoke, type QueueHandler } from '../../../local/triggers/pump.ts';
import { type Harness, startHarness } from '../harness.ts';
import { Changes } from './changes.ts';

type Handle = ReturnType<typeof inProcess>['handle'];

/** The queues of subscriptions, and the functions that get their messages. */
const QUEUES = { fanOut: names.fanOutQueue, proven: names.provenQueue, other: names.webhooksQueue } as const;
const HANDLERS: Readonly<Record<keyof typeof QUEUES, QueueHandler>> = {
  fanOut,
  proven: deliver,
  other: deliver,
};

/** The service in this process, with the functions behind its streams and the queues of subscriptions. */
export interface Deliveries extends Pick<Harness, 'client' | 'pass' | 'close'> {
  /** Gives the new changes to the events function. */
  publish(): Promise<void>;
  /** Gives messages to the functions, until there are none or a function fails. Returns the number of messages. */
  run(...queues: readonly (keyof typeof QUEUES)[]): Promise<number>;
  sweep(): Promise<void>;
  /** `publish`, `sweep` and `run` of all queues, until nothing is due. */
  settle(): Promise<void>;
  /** The next calls of the engines pass through this function. */
  through(between: (call: Parameters<Handle>, pass: Handle) => ReturnType<Handle>): void;
}

/** Starts the service. The clock is that of `timePasses`. */
export async function startDeliveries(): Promise<Deliveries> {
  let engines: Engines | undefined;
  let between: Parameters<Deliveries['through']>[0] = (call, pass) => pass(...call);
  const harness = await startHarness((own) => {
    engines = own;
    const whole = inProcess(own);
    const handle: Handle = (...call) => between(call, whole.handle);
    return {
      settings: { requestHandler: { ...whole, handle } },
      clear: async () => {},
      close: async () => {},
    };
  });
  if (!engines) throw new Error('The service did not start');
  const { sqs } = harness;
  const changes = new Changes(engines);
  const one: Deliveries = {
    ...harness,
    through: (line) => {
      between = line;
    },
    publish: async () => {
      const { records } = changes.taken();
      if (records.length > 0) await publish({ Records: records });
    },
    run: async (...queues) => {
      let count = 0;
      for (;;) {
        let found = 0;
        for (const name of queues) {
          const QueueUrl = queueUrl(QUEUES[name]);
          const { Messages = [] } = await sqs.send(
            new ReceiveMessageCommand({
              QueueUrl,
              MaxNumberOfMessages: 10,
              MessageSystemAttributeNames: ['All'],
            }),
          );
          found += Messages.length;
          const mapping = { queueUrl: QueueUrl, handler: HANDLERS[name], timeout: 60_000 };
          await Promise.all(Messages.map((message) => invoke(sqs, mapping, [message])));
        }
        if (found === 0) return count;
        count += found;
      }
    },
    settle: async () => {
      await one.publish();
      for (let times = 0; times < 2; times += 1) {
        await one.sweep();
        await one.run('fanOut', 'proven', 'other');
      }
    },
  };
  return one;
}
