import { notImplemented } from '../../fault.ts';
import type { S3Operation } from '../s3.ts';
import { documentOf, textOf } from '../xml/read.ts';

/** Makes a bucket keep the versions of its objects. Source: S3 API Reference "PutBucketVersioning". */
export const putBucketVersioning: S3Operation = async (s3, request) => {
  const document = await documentOf(request, 'VersioningConfiguration');
  if (textOf(document, 'Status') !== 'Enabled') throw notImplemented('S3 suspended versioning');
  s3.storage.run('INSERT OR IGNORE INTO versioning (bucket) VALUES (?)', request.bucket);
  return { status: 200, headers: { 'content-length': '0' } };
};
