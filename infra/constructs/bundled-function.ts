import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  Function as Lambda,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Options } from '../options.ts';

export interface BundledFunctionProps {
  /** What it is called in descriptions, and by `sam local invoke`. */
  readonly name: string;
  readonly description: string;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Invocations at the same time, at most; undefined: as many as the account allows. */
  readonly concurrency?: number | undefined;
  /** It sends messages to its own queue: Lambda must not take that for an endless loop. */
  readonly sendsToItself?: boolean;
  readonly options: Options;
}

/** Declared empty, which means AWS's own: SAM can only set variables that the template declares. */
const ENDPOINTS = { AWS_ENDPOINT_URL_DYNAMODB: '', AWS_ENDPOINT_URL_S3: '', AWS_ENDPOINT_URL_SQS: '' };

/**
 * Puts a Lambda function into a construct: a bundle, with a role and a log group that are its own.
 *
 * Source: AWS Lambda Developer Guide, "Lambda runtimes", "Defining Lambda function permissions with an execution role".
 */
export function bundledFunction(scope: Construct, props: BundledFunctionProps): Lambda {
  const {
    name,
    description,
    bundle,
    timeoutSeconds,
    memoryMb,
    environment,
    sendsToItself,
    concurrency,
    options,
  } = props;
  const logGroup = new LogGroup(scope, 'log', {
    retention: options.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
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
    memorySize: memoryMb,
    timeout: Duration.seconds(timeoutSeconds),
    role,
    logGroup,
    // What a deployment is taken back to.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    environment: {
      ...environment,
      ...ENDPOINTS,
      SERVICE: options.name,
      ...(options.metrics ? {} : { METRICS: 'false' }),
    },
    tracing: options.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    reservedConcurrentExecutions: concurrency,
    recursiveLoop: sendsToItself ? RecursiveLoop.ALLOW : undefined,
  });
  (lambda.node.defaultChild as CfnFunction).addMetadata('SamResourceId', name);
  return lambda;
}
