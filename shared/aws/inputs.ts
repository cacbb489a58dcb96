import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { config } from './config.ts';
import { s3 } from './s3.ts';

/** The prefix of inputs of operations that are too long for their records. The bucket forgets them by itself. */
export const INPUTS = 'operations/';

/** Where an input is. All that follow throw the SDK's errors as they come. */
const placeOf = (operationId: number) => ({ Bucket: config.bucketName(), Key: `${INPUTS}${operationId}` });

/** Keeps the input of an operation. */
export async function putInput(operationId: number, text: string): Promise<void> {
  await s3().send(
    new PutObjectCommand({ ...placeOf(operationId), Body: text, ContentType: 'application/json' }),
  );
}

/** The input of an operation. */
export async function getInput(operationId: number): Promise<string> {
  const { Body } = await s3().send(new GetObjectCommand(placeOf(operationId)));
  return (Body as NonNullable<typeof Body>).transformToString();
}

/** Forgets the input of an operation. */
export async function removeInput(operationId: number): Promise<void> {
  await s3().send(new DeleteObjectCommand(placeOf(operationId)));
}
