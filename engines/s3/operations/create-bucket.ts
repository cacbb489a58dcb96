import { Fault } from '../../fault.ts';
import type { S3Operation } from '../s3.ts';

/** Creates a bucket. Source: S3 API Reference "CreateBucket". @throws BucketAlreadyOwnedByYou (409) */
export const createBucket: S3Operation = ({ storage }, { bucket }) => {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new Fault('InvalidBucketName', 'The specified bucket is not valid.');
  }
  if (storage.run('INSERT OR IGNORE INTO bucket (name) VALUES (?)', bucket) === 0) {
    throw new Fault('BucketAlreadyOwnedByYou', 'You have created the named bucket before and own it.', 409);
  }
  return { status: 200, headers: { location: `/${bucket}`, 'content-length': '0' } };
};
