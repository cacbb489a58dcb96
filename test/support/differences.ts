import { test } from '@jest/globals';

/** A deviation of engines from AWS's documentation. A test for all engines fails on them. */
interface Difference {
  readonly engines: readonly ('dynamodb-local' | 'versitygw' | 'elasticmq')[];
  /** The actual behaviour of the engines. */
  readonly instead: string;
  /** The documentation of AWS. */
  readonly documented: string;
}

/** All known deviations. docs/engines.md shows them. */
export const DIFFERENCES = {
  'a transaction takes twice the units': {
    engines: ['dynamodb-local'],
    instead: 'counts fewer than two units for each KB of an item that a transaction writes',
    documented: 'Amazon DynamoDB Developer Guide, "Capacity consumption in transactions"',
  },
  'a read of a missing item takes units': {
    engines: ['dynamodb-local'],
    instead: 'counts no units for the keys of a batch that have no item',
    documented: 'Amazon DynamoDB Developer Guide, "Capacity unit consumption"',
  },
  'a table has an identifier': {
    engines: ['dynamodb-local'],
    instead: 'describes tables without TableId',
    documented: 'Amazon DynamoDB API Reference, "TableDescription"',
  },
  'a sum has no zeros at its end': {
    engines: ['dynamodb-local'],
    instead: 'returns 100.0 for the sum of 99.9 and 0.1',
    documented: 'Amazon DynamoDB Developer Guide, "Supported data types and naming rules"',
  },
  'a key is any text': {
    engines: ['versitygw'],
    instead: 'keeps keys as paths of files: a and a/b exclude each other, as does content at a/',
    documented: 'Amazon S3 User Guide, "Naming Amazon S3 objects"',
  },
  'a key may contain .. between slashes': {
    engines: ['versitygw'],
    instead: 'refuses keys with .. between slashes',
    documented: 'Amazon S3 User Guide, "Naming Amazon S3 objects"',
  },
  'a key has 1,024 bytes': {
    engines: ['versitygw'],
    instead: 'refuses keys with more than 255 bytes between slashes, the limit of a file name',
    documented: 'Amazon S3 User Guide, "Naming Amazon S3 objects"',
  },
  'an object is not modified since its own Last-Modified': {
    engines: ['versitygw'],
    instead:
      'answers If-Modified-Since with the object’s own Last-Modified as if it had changed within the second',
    documented: 'Amazon S3 API Reference, "GetObject"; RFC 9110 §13.1.3',
  },
  'any object is deleted with If-Match: *': {
    engines: ['versitygw'],
    instead: 'answers 412 to a deletion with If-Match: *',
    documented: 'Amazon S3 User Guide, "How to perform conditional deletes"',
  },
  'a part has a digest of the kind that its upload was begun with': {
    engines: ['versitygw'],
    instead: 'takes a part with a digest of any kind',
    documented: 'Amazon S3 API Reference, "UploadPart"',
  },
  'uploads are listed by pages': {
    engines: ['versitygw'],
    instead: 'refuses its own NextUploadIdMarker',
    documented: 'Amazon S3 API Reference, "ListMultipartUploads"',
  },
  'a copy gets 412 if its source has an excluded entity tag': {
    engines: ['versitygw'],
    instead: 'answers 304 where x-amz-copy-source-if-none-match does not hold',
    documented: 'Amazon S3 API Reference, "CopyObject"',
  },
  'a copy has conditions of its target': {
    engines: ['versitygw'],
    instead: 'ignores If-Match and If-None-Match of a copy',
    documented: 'Amazon S3 API Reference, "CopyObject"',
  },
  'a range of a copied part has two ends': {
    engines: ['versitygw'],
    instead: 'accepts bytes=1- as the rest of the object',
    documented: 'Amazon S3 API Reference, "UploadPartCopy"',
  },
  'a list of versions continues after a removal': {
    engines: ['versitygw'],
    instead: 'lists a removal again if it is the VersionIdMarker',
    documented: 'Amazon S3 API Reference, "ListObjectVersions"',
  },
} as const satisfies Record<string, Difference>;

const running = (process.env.REAL_ENGINES ?? '').split(',');

/**
 * A test that holds on AWS and on the embedded engines: `onAws(difference)(name, body)`. On an engine with the
 * deviation the test must fail, so that the list stays true.
 */
export const onAws = (difference: keyof typeof DIFFERENCES): typeof test.failing =>
  DIFFERENCES[difference].engines.some((engine) => running.includes(engine)) ? test.failing : test;
