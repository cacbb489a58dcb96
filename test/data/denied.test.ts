import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runningEngines } from '../../local/running.ts';
import { DENIED_SUBJECTS } from '../../shared/store/idempotency/denied-subjects.ts';
import { clientOf } from '../support/client/client.ts';
import { issuerOf } from '../support/client/tokens.ts';
import { as } from '../support/service/closed.ts';
import { type Run, run, temporary } from '../support/service/service.ts';

let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;

beforeAll(async () => {
  place = await temporary();
  const directory = join(place.directory, 'data');
  service = await run({ directory, args: ['--auth', '--empty'] });
  const { url: endpoint, credentials } = runningEngines({ DATA_DIR: directory }) as NonNullable<
    ReturnType<typeof runningEngines>
  >;
  const dynamoDb = new DynamoDBClient({
    endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? endpoint,
    region: 'us-east-1',
    credentials,
  });
  // docs/operations.md, "A token in wrong hands"
  await dynamoDb.send(
    new PutItemCommand({
      TableName: 'resource-api-idempotency',
      Item: { key: { S: DENIED_SUBJECTS }, subjects: { SS: ['ada'] } },
    }),
  );
  dynamoDb.destroy();
}, 40_000);

afterAll(async () => {
  await service.stop();
  await place.remove();
});

test('a subject that an operator denies gets 403 with a valid token, and others get access', async () => {
  const [send, issue] = [clientOf(service.url as string), await issuerOf(service)];
  const asking = async (caller: string) =>
    send('GET', '/members', { headers: as(await issue(caller, 'members:read')) });
  const refused = await asking('ada');
  expect([refused.status, (await asking('bob')).status]).toEqual([403, 200]);
  expect(refused.json().detail).toContain('operators of this service have denied you access');
});
