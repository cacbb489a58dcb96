import type { DynamoDBRecord } from 'aws-lambda';
import { type Engines, hasStream, parseSequenceNumber, readRecords, type StreamRecord } from 'embedded-aws';
import { registry } from '../../../service/registry.ts';
import { tableIn } from '../../../shared/aws/config.ts';
import { changeOf } from '../../../shared/events/cloud-event.ts';
import type { Resource } from '../../../shared/resource/resource.ts';

/** The largest number of changes in one invocation, as in the stack. */
const BATCH = 100;

/** The changes in the streams since the last call. */
export class Changes {
  readonly #engines: Engines;
  readonly #positions = new Map<string, number>();

  constructor(engines: Engines) {
    this.#engines = engines;
    this.taken();
  }

  /** The changes since the last call: invocations of the events function, events, and the records. */
  taken(): { handovers: number; events: number; records: DynamoDBRecord[] } {
    const { dynamoDb } = this.#engines;
    const records: DynamoDBRecord[] = [];
    let events = 0;
    let handovers = 0;
    for (const table of dynamoDb.tables.all()) {
      const resource = registry.find(
        ({ name }) => tableIn(String(process.env.TABLES), name) === table.description.TableName,
      );
      if (!resource || !hasStream(table)) continue;
      const arn = table.description.LatestStreamArn as string;
      const before = records.length;
      for (;;) {
        const some = readRecords(dynamoDb, arn, this.#positions.get(arn) ?? 0, 1000);
        const last = some.at(-1);
        if (!last) break;
        this.#positions.set(arn, parseSequenceNumber(last.dynamodb.SequenceNumber) as number);
        for (const one of some.filter((record) => isHandedOver(resource, record))) {
          const record = { ...one, eventSourceARN: arn } as unknown as DynamoDBRecord;
          records.push(record);
          if (changeOf(resource, record)) events += 1;
        }
      }
      handovers += Math.ceil((records.length - before) / BATCH);
    }
    return { handovers, events, records };
  }
}

/** True if the change invokes the function. A filter of the stack drops the intermediate steps of operations. */
function isHandedOver({ events }: Resource, { dynamodb }: StreamRecord): boolean {
  if (!events?.finals) return true;
  const { NewImage } = dynamodb as { NewImage?: Record<string, { S?: string }> };
  return events.finals.includes(NewImage?.[events.field]?.S ?? '');
}
