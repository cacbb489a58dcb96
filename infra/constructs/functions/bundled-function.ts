import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  Function as Lambda,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Resource } from '../../../shared/resource/resource.ts';
import { memoryOf } from '../../memory.ts';
import type { Options } from '../../options.ts';
import { logRetention } from './retention.ts';

export interface BundledFunctionProps {
  /** Name in descriptions and in `sam local invoke`. */
  readonly name: string;
  readonly description: string;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly timeoutSeconds: number;
  /** The resource that the function serves; undefined: it serves none. */
  readonly resource?: Resource;
  readonly environment: Readonly<Record<string, string>>;
  /** The log group of the function; undefined: a new one. */
  readonly logGroup?: LogGroup;
  /** True if the function sends messages to its own queue. Lambda would otherwise stop it as a recursive loop. */
  readonly sendsToItself?: boolean;
  readonly options: Options;
}

/** Empty values mean the endpoints of AWS. SAM can only set variables that the template declares. */
const ENDPOINTS = { AWS_ENDPOINT_URL_DYNAMODB: '', AWS_ENDPOINT_URL_S3: '', AWS_ENDPOINT_URL_SQS: '' };

/**
 * Adds a Lambda function to a construct: a bundle with its own role and its own log group.
 *
 * Source: AWS Lambda Developer Guide, "Lambda runtimes", "Defining Lambda function permissions with an execution
 * role".
 */
export function bundledFunction(scope: Construct, props: BundledFunctionProps): Lambda {
  const { name, description, bundle, timeoutSeconds, resource, environment } = props;
  const { sendsToItself, options } = props;
  const {
    logGroup = new LogGroup(scope, 'log', {
      retention: options.logRetentionDays,
      removalPolicy: logRetention(options),
    }),
  } = props;
  const role = new Role(scope, 'role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: `What the ${name} function may do`,
  });
  logGroup.grantWrite(role);
  const lambda = new Lambda(scope, 'function', {
    description,
    code: Code.fromAsset(bundle),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: options.architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
    memorySize: memoryOf(name, resource),
    timeout: Duration.seconds(timeoutSeconds),
    role,
    logGroup,
    // Each function logs its own line for an invocation. Lambda still logs invocations that fail or run out of time.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    // A rollback needs the previous version.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    environment: {
      ...environment,
      ...ENDPOINTS,
      SERVICE: options.name,
      ...(options.observability === 'full' ? {} : { METRICS: 'false' }),
    },
    tracing: options.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    recursiveLoop: sendsToItself ? RecursiveLoop.ALLOW : undefined,
  });
  (lambda.node.defaultChild as CfnFunction).addMetadata('SamResourceId', name);
  return lambda;
}

/**
 * A Lambda function that serves no resource. A queue, a stream or a schedule invokes it. The caller of the
 * constructor grants permissions to `lambda`.
 */
export class BackgroundFunction extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, props: BundledFunctionProps) {
    super(scope, props.name);
    this.lambda = bundledFunction(this, props);
  }
}
