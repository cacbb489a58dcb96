import { CreateTableCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { openEngines } from '../engines.ts';
import { CREDENTIALS, embeddedClients } from './clients.ts';

// A process that writes until a test kills it, and prints each acknowledgement to stdout: `t 12`, `o 7`.
const [directory = '', from = '0'] = process.argv.slice(2);
const { dynamodb, s3 } = embeddedClients(openEngines({ directory, credentials: CREDENTIALS }));
const start = Number(from);
const string = (S: string) => ({ S });
const number = (N: number) => ({ N: String(N) });

if (start === 0) {
  await dynamodb.send(
    new CreateTableCommand({
      TableName: 'pairs',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'side', AttributeType: 'S' },
        { AttributeName: 'slot', AttributeType: 'N' },
        { AttributeName: 'n', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'side', KeyType: 'HASH' },
        { AttributeName: 'slot', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byN',
          KeySchema: [{ AttributeName: 'n', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  await s3.send(new CreateBucketCommand({ Bucket: 'objects' }));
}

/** Writes both items of a pair at once, over ten pairs, so that index rows change all the time. */
async function writePairs(): Promise<never> {
  for (let n = start; ; n++) {
    const TransactItems = ['left', 'right'].map((side) => ({
      Put: { TableName: 'pairs', Item: { side: string(side), slot: number(n % 10), n: number(n) } },
    }));
    await dynamodb.send(new TransactWriteItemsCommand({ TransactItems }));
    process.stdout.write(`t ${n}\n`);
  }
}

async function writeObjects(): Promise<never> {
  for (let n = start; ; n++) {
    const Body = `${n} `.repeat(10_000);
    await s3.send(new PutObjectCommand({ Bucket: 'objects', Key: `object-${n % 10}`, Body }));
    process.stdout.write(`o ${n}\n`);
  }
}

/** Writes objects of one part each, next to an upload with a part that it leaves out. */
async function writeUploads(): Promise<never> {
  for (let n = start; ; n++) {
    const upload = { Bucket: 'objects', Key: `upload-${n % 10}` };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(upload));
    const send = async (PartNumber: number, Body: string) => {
      const part = new UploadPartCommand({ ...upload, UploadId, PartNumber, Body });
      return { PartNumber, ETag: (await s3.send(part)).ETag };
    };
    await send(1, 'left out');
    const Parts = [await send(2, `${n} `.repeat(10_000))];
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload: { Parts } }));
  }
}

await Promise.all([writePairs(), writeObjects(), writeUploads()]);
