import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { s3OfClients } from '../../../aws/clients/s3.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { Upload } from '../../../resource/sent.ts';
import type { ObjectPlace } from '../multipart.ts';
import { partsOf } from './plan.ts';

/** The content of the signatures for one file. S3 stores `metadata` with the object. */
export interface Admission {
  readonly place: ObjectPlace;
  readonly upload: Upload;
  readonly metadata: Readonly<Record<string, string>>;
  /** The lifetime of the links. */
  readonly seconds: number;
}

type Fields = Readonly<Record<string, string | undefined>>;
type Command =
  | PutObjectCommand
  | UploadPartCommand
  | CompleteMultipartUploadCommand
  | AbortMultipartUploadCommand
  | ListPartsCommand;

/** Presigns a request. The client must send exactly the signed `headers`, and no further `x-amz-` fields. */
function sign(client: S3Client, command: Command, headers: Fields, expiresIn: number): Promise<string> {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  // The presigner accepts any command, but its type names one.
  return getSignedUrl(client, command as PutObjectCommand, {
    expiresIn,
    signableHeaders: new Set(['content-type'].filter((name) => names.includes(name))),
    unhoistableHeaders: new Set(names),
  });
}

const present = (headers: Fields): JsonObject =>
  Object.fromEntries(Object.entries(headers).filter((one): one is [string, string] => one[1] !== undefined));

/**
 * The link for an upload in one request. The signature covers length, type and digest, so S3 accepts only these bytes.
 *
 * Source: Amazon S3 API Reference, PutObject; Amazon S3 User Guide, "Uploading objects with presigned URLs".
 */
export async function linkToWhole({ place, upload, metadata, seconds }: Admission): Promise<JsonObject> {
  const { size, mediaType, sha256 } = upload;
  const headers: Fields = {
    'Content-Type': mediaType,
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
    'x-amz-checksum-sha256': sha256,
  };
  const command = new PutObjectCommand({
    ...place,
    ContentLength: size,
    ContentType: mediaType,
    ChecksumSHA256: sha256,
    Metadata: metadata,
  });
  const href = await sign(s3OfClients(), command, headers, seconds);
  return { method: 'PUT', href, headers: present(headers) };
}

/**
 * Returns the links for an upload in parts: one for each part, and one each to complete the upload, to abort it and to
 * list the parts that have arrived. The signatures cover the length of each part and of the file.
 *
 * Source: Amazon S3 API Reference, UploadPart, CompleteMultipartUpload, AbortMultipartUpload, ListParts.
 */
export async function linksToParts(
  { place, upload, seconds }: Admission,
  UploadId: string,
  partSize: number,
): Promise<JsonObject> {
  const client = s3OfClients();
  const named = { ...place, UploadId };
  const parts: JsonObject[] = [];
  for (const { partNumber, size } of partsOf(upload.size, partSize)) {
    const command = new UploadPartCommand({ ...named, PartNumber: partNumber, ContentLength: size });
    parts.push({ partNumber, size, method: 'PUT', href: await sign(client, command, {}, seconds) });
  }
  const headers: Fields = { 'x-amz-mp-object-size': String(upload.size) };
  const whole = { ...named, MpuObjectSize: upload.size };
  const link = async (method: string, command: Command, fields: Fields = {}): Promise<JsonObject> => ({
    method,
    href: await sign(client, command, fields, seconds),
    ...(method === 'POST' ? { headers: present(fields) } : {}),
  });
  return {
    partSize,
    parts,
    complete: await link('POST', new CompleteMultipartUploadCommand(whole), headers),
    abort: await link('DELETE', new AbortMultipartUploadCommand(named)),
    sent: await link('GET', new ListPartsCommand(named)),
  };
}
