import { expect, test } from '@jest/globals';
import { type Synthesis, synthesize } from '../synthesis.ts';

const queuesIn = ({ parts }: Synthesis) =>
  parts('AWS::SQS::Queue')
    .map(({ id }) => id)
    .filter((id) => id.startsWith('uploads'));

test('a service without files and without binary properties has no function and no queue of uploads', async () => {
  const service = await synthesize({}, 'without bytes');
  expect(queuesIn(service)).toEqual([]);
  expect(service.bucket('objects').Properties).not.toHaveProperty('NotificationConfiguration');
  expect(() => service.functionOf('uploads')).toThrow('0 of uploads');
});

test('without files, the uploads function removes the bytes of binary properties alone', async () => {
  const service = await synthesize({}, 'without files');
  expect(queuesIn(service)).toHaveLength(2);
  expect(service.bucket('objects').Properties.NotificationConfiguration).toMatchObject({
    QueueConfigurations: [{ Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: 'binaries/' }] } } }],
  });
  const { Variables } = service.functionOf('uploads').Properties.Environment as { Variables: object };
  expect(Object.keys(Variables)).toContain('UPLOADS_QUEUE');
  expect(Object.keys(Variables).filter((name) => /FILES|LARGE/.test(name))).toEqual([]);
});
