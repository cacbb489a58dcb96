import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { s3 } from '../../shared/aws/clients/s3.ts';
import { config } from '../../shared/aws/config.ts';
import { isMissing } from '../../shared/files/objects.ts';
import { FILES } from '../../shared/files/uploads/record.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { identifierOf } from '../../shared/store/form/attributes.ts';
import { namedKeys } from '../../shared/store/form/binary-attributes.ts';
import { UserError } from '../user-error.ts';
import type { ExportedObject } from './lines.ts';

/** Copies objects of S3 to files and back. */

/** The most bytes of one PutObject. Source: Amazon S3 User Guide, "Uploading objects". */
const MAXIMUM_BYTES = 5 * 1024 ** 3;

/**
 * Returns the keys of the objects that belong to an item: the bytes of a file, and the bytes of binary properties. Some
 * of them may not exist.
 */
export function objectKeys(resource: Resource, item: Attributes): readonly string[] {
  const isFile = resource.uses.some((used) => 'objects' in used && used.objects === FILES);
  return isFile ? [`${FILES}${identifierOf(descriptionOf(resource), item)}`] : namedKeys(item);
}

/** Returns the path of an object in an export. A key can be longer than a file name, or end with a slash. */
function fileOf(key: string): string {
  const name = createHash('sha256').update(key).digest('hex');
  return join('bytes', name.slice(0, 2), name.slice(2));
}

/** Copies an object into the export. Returns undefined if the object does not exist. */
export async function download(key: string, directory: string): Promise<ExportedObject | undefined> {
  try {
    const { Body, ContentType: mediaType = 'application/octet-stream' } = await s3().send(
      new GetObjectCommand({ Bucket: config.bucketName(), Key: key }),
    );
    if (!(Body instanceof Readable)) throw new Error(`S3 returned no bytes for ${key}`);
    const file = fileOf(key);
    const path = join(directory, file);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    let size = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        hash.update(chunk);
        size += chunk.length;
        next(null, chunk);
      },
    });
    await pipeline(Body, measure, createWriteStream(`${path}.part`, { mode: 0o600 }));
    renameSync(`${path}.part`, path);
    return { key, file, mediaType, size, sha256: hash.digest('base64') };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Copies an object from the export into the bucket. S3 verifies the digest. Returns the entity tag. */
export async function upload(
  { key, file, mediaType, size, sha256 }: ExportedObject,
  directory: string,
): Promise<string> {
  if (size > MAXIMUM_BYTES)
    throw new UserError(`${key} is larger than 5 GiB: copy it with 'aws s3 cp', then import again`);
  const { ETag = '' } = await s3().send(
    new PutObjectCommand({
      Bucket: config.bucketName(),
      Key: key,
      Body: createReadStream(join(directory, file)),
      ContentLength: size,
      ContentType: mediaType,
      ChecksumSHA256: sha256,
    }),
  );
  return ETag;
}
