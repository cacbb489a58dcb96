import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { siteFiles } from '../../../openapi/site/files.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { type Options, pathPrefix } from '../../options.ts';

/** Writes the files of the site into a directory, instead of what is there. */
export function writeSite(directory: string, registry: readonly Resource[], options: Options): void {
  rmSync(directory, { recursive: true, force: true });
  for (const [key, bytes] of siteFiles(registry, pathPrefix(options))) {
    const path = join(directory, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

export interface SiteProps {
  readonly bucket: IBucket;
  readonly options: Options;
  /** The directory of the files before CDK packs them. */
  readonly directory: string;
}

/**
 * The objects that the site's function serves. Each deployment replaces them by those of its stage. A function
 * of CDK puts them into their own bucket, and deletes them with the stack.
 *
 * Source: AWS CDK API Reference, aws-s3-deployment.
 */
export class Site extends Construct {
  constructor(scope: Construct, id: string, { bucket, options, directory }: SiteProps) {
    super(scope, id);
    const { logRetentionDays } = options;
    new BucketDeployment(this, 'files', {
      sources: [Source.asset(directory)],
      destinationBucket: bucket,
      destinationKeyPrefix: 'site',
      prune: true,
      retainOnDelete: false,
      memoryLimit: 256,
      logGroup: new LogGroup(this, 'log', {
        retention: logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
  }
}
