import type { Options, Service } from './options.ts';
import type { Engine } from './place.ts';
import { dynamoDbLocal } from './servers/dynamodb-local.ts';
import { elasticMq } from './servers/elasticmq.ts';
import { minio } from './servers/minio.ts';
import { versitygw } from './servers/versitygw.ts';

const S3: Readonly<Record<Options['s3'], Engine>> = { versitygw, minio };

/** The engine of a service. */
export function engineOf(service: Service, { s3 }: Pick<Options, 's3'>): Engine {
  if (service === 's3') return S3[s3];
  return service === 'sqs' ? elasticMq : dynamoDbLocal;
}
