import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { runningEngines } from '../../local/running.ts';
import { DENIED_SUBJECTS } from '../../shared/store/idempotency/denied-subjects.ts';
import { clientOf } from '../support/client/client.ts';
import { issuerOf } from '../support/client/tokens.ts';
import type { Closed } from '../support/service/closed.ts';
import { run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

/** A service that requires tokens, with its clock, and with an operator. */
export interface Supervised extends Closed {
  readonly directory: string;
  readonly dynamoDb: DynamoDBClient;
  readonly output: () => string;
  stop(): Promise<void>;
  /** Lets time pass for the service, in ms. */
  pass(ms: number): void;
  /** Denies these subjects access, and no others. Source: docs/operations.md, "A token in wrong hands". */
  deny(...subjects: string[]): Promise<void>;
}

/** Starts a service with the resources of a folder of test/fixtures, and with data of its own. */
export async function supervised(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Supervised> {
  const place = await temporary();
  const [directory, clock] = [join(place.directory, 'data'), join(place.directory, 'clock')];
  let ahead = 0;
  writeFileSync(clock, '0');
  const { NODE_OPTIONS = '' } = withFixture(folder);
  const preload = join(import.meta.dirname, '../fixtures/clock.mjs');
  const service = await run({
    directory,
    args: ['--auth', '--empty'],
    environment: { ...environment, TEST_CLOCK: clock, NODE_OPTIONS: `${NODE_OPTIONS} --import ${preload}` },
  });
  const { url: endpoint, credentials } = runningEngines({ DATA_DIR: directory }) as NonNullable<
    ReturnType<typeof runningEngines>
  >;
  const engine = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? endpoint;
  const dynamoDb = new DynamoDBClient({ endpoint: engine, region: 'us-east-1', credentials });
  const url = service.url as string;
  return {
    url,
    directory,
    dynamoDb,
    send: clientOf(url),
    issue: await issuerOf(service),
    output: service.output,
    pass(ms) {
      ahead += ms;
      writeFileSync(clock, String(ahead));
    },
    async deny(...subjects) {
      const TableName = 'resource-api-idempotency';
      const Item = { key: { S: DENIED_SUBJECTS }, subjects: { SS: subjects } };
      await (subjects.length > 0
        ? dynamoDb.send(new PutItemCommand({ TableName, Item }))
        : dynamoDb.send(new DeleteItemCommand({ TableName, Key: { key: Item.key } })));
    },
    async stop() {
      dynamoDb.destroy();
      await service.stop();
      await place.remove();
    },
  };
}
