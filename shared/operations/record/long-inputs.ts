import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { s3 } from '../../aws/clients/s3.ts';
import { config } from '../../aws/config.ts';

/**
 * The prefix of inputs of operations that are too long for their records. A lifecycle rule of the bucket deletes
 * them.
 */
export const INPUTS = 'operations/';

/** Returns the location of an input. All functions below throw the errors of the SDK unchanged. */
const placeOf = (operationId: number) => ({ Bucket: config.bucketName(), Key: `${INPUTS}${operationId}` });

/** Stores the input of an operation. */
export async function putInput(operationId: number, text: string): Promise<void> {
  await s3().send(
    new PutObjectCommand({ ...placeOf(operationId), Body: text, ContentType: 'application/json' }),
  );
}

/** Reads the input of an operation. */
export async function getInput(operationId: number): Promise<string> {
  const { Body } = await s3().send(new GetObjectCommand(placeOf(operationId)));
  return (Body as NonNullable<typeof Body>).transformToString();
}

/** Deletes the input of an operation. */
export async function removeInput(operationId: number): Promise<void> {
  await s3().send(new DeleteObjectCommand(placeOf(operationId)));
}
