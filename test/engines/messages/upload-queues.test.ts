import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import { parseNotification } from '../../../functions/uploads/notification.ts';
import { names, queueUrl } from '../../../local/provision/names.ts';
import { currentSettings } from '../../../shared/aws/clients/client.ts';
import { s3 } from '../../../shared/aws/clients/s3.ts';
import { attached } from '../attached.ts';

attached((call, pass) => pass(...call));

/** The keys of the objects that the messages of a queue name. */
async function keysIn(queue: string): Promise<string[]> {
  const sqs = new SQSClient(currentSettings() as SQSClientConfig);
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: queueUrl(queue), MaxNumberOfMessages: 10 }),
  );
  return Messages.flatMap(({ Body = '' }) => parseNotification(Body).map(({ key }) => key));
}

test('S3 notifies a queue of its own of an upload in parts', async () => {
  const Bucket = names.bucket;
  for (const Key of ['uploads/1/0', 'files/small'])
    await s3().send(new PutObjectCommand({ Bucket, Key, Body: 'bytes' }));
  for (const Key of ['uploads/1/1', 'files/large']) {
    const { UploadId } = await s3().send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const part = { Bucket, Key, UploadId, PartNumber: 1 };
    const { ETag } = await s3().send(new UploadPartCommand({ ...part, Body: 'bytes' }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await s3().send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
  }
  expect(await keysIn(names.largeUploadsQueue)).toEqual(['uploads/1/1']);
  expect((await keysIn(names.uploadsQueue)).sort()).toEqual(['files/large', 'files/small', 'uploads/1/0']);
});
