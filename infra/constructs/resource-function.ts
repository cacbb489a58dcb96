import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type CfnFunction, Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { tableVariable } from '../../shared/aws/config.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { KEPT_TABLE } from '../../shared/store/kept.ts';
import type { Options } from '../options.ts';
import { grantFacts, type Stores } from './grants.ts';

/** API Gateway gives a request 29 s: the function ends before that, so that its own log says why. */
const TIMEOUT_SECONDS = 28;
const MEMORY_MB = 512;

export interface ResourceFunctionProps {
  readonly resource: Resource;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly stores: Stores;
  readonly options: Options;
}

/**
 * The Lambda function of a resource, with a role and a log group of its own. What it may do and what it is told
 * follow from the resource's facts.
 *
 * Source: AWS Lambda Developer Guide, "Lambda runtimes", "Defining Lambda function permissions with an execution role".
 */
export class ResourceFunction extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, { resource, bundle, stores, options }: ResourceFunctionProps) {
    super(scope, resource.name);
    const logGroup = new LogGroup(this, 'log', {
      retention: options.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What the ${resource.name} function may do`,
    });
    logGroup.grantWrite(role);
    this.lambda = new Lambda(this, 'function', {
      description: resource.title,
      code: Code.fromAsset(bundle),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: options.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      memorySize: MEMORY_MB,
      timeout: Duration.seconds(TIMEOUT_SECONDS),
      role,
      logGroup,
      environment: environmentOf(resource, stores, options),
    });
    // What `sam local invoke` calls it.
    (this.lambda.node.defaultChild as CfnFunction).addMetadata('SamResourceId', resource.name);
    grantFacts(this.lambda, resource, stores);
  }
}

/**
 * What the configuration reads. The endpoints are declared empty, which means AWS's own: SAM can only set variables
 * that the template declares.
 */
function environmentOf(
  { name, table, uses, actions }: Resource,
  { tables, bucket }: Stores,
  { shards, basePath, allowedOrigin }: Options,
): Record<string, string> {
  const named = [...(table ? [name] : []), ...uses.flatMap((use) => ('table' in use ? [use.table] : []))];
  return {
    ...Object.fromEntries(named.map((one) => [tableVariable(one), tables.of(one).tableName])),
    ...(actions.recall ? { [tableVariable(KEPT_TABLE.name)]: tables.kept.tableName } : {}),
    ...(uses.some((use) => 'objects' in use)
      ? { BUCKET: bucket.bucketName, CLIENT_ENDPOINT_URL_S3: '' }
      : {}),
    ...(shards === undefined ? {} : { SHARDS: String(shards) }),
    ...(basePath === undefined ? {} : { BASE_PATH: basePath }),
    ...(allowedOrigin === undefined ? {} : { ALLOWED_ORIGIN: allowedOrigin }),
    AWS_ENDPOINT_URL_DYNAMODB: '',
    AWS_ENDPOINT_URL_S3: '',
    AWS_ENDPOINT_URL_SQS: '',
  };
}
