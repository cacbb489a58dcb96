import { CfnOutput, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPermission, type Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscriptionFilter, FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { SAFE_METHODS } from '../../../shared/http/request.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import type { Options } from '../../options.ts';
import { bundledFunction } from '../functions/bundled-function.ts';
import type { WithFunction } from '../functions/live-aliases.ts';
import { logRetention } from '../functions/retention.ts';

const TIMEOUT_SECONDS = 30;

/** The log lines of writes. */
const WRITES = FilterPattern.any(
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => FilterPattern.stringValue('$.method', '=', method)),
);

interface AuditLogProps {
  readonly registry: readonly Resource[];
  /** The functions of the resources, by name. */
  readonly functions: ReadonlyMap<string, WithFunction>;
  /** The directory with a bundled handler. */
  readonly bundleOf: (name: string) => string;
  readonly options: Options;
}

/**
 * A log group with a line for each write, and a retention of its own. CloudWatch Logs sends the lines of writes to a
 * function, whose own log group this is. The functions of the resources therefore need no call and no permission.
 *
 * Source: Amazon CloudWatch Logs User Guide, "Log group-level subscription filters".
 */
class AuditLog extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, id: string, { registry, functions, bundleOf, options }: AuditLogProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'log', {
      retention: options.auditRetentionDays,
      removalPolicy: logRetention(options),
    });
    this.lambda = bundledFunction(this, {
      name: 'audit',
      description: 'Writes the audit log',
      bundle: bundleOf('audit'),
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {},
      logGroup,
      options,
    });
    const stack = Stack.of(this);
    const { partition, region, account } = stack;
    new CfnOutput(stack, 'AuditLog', { value: logGroup.logGroupName, description: 'Who wrote what' });
    const permission = new CfnPermission(this, 'delivery', {
      action: 'lambda:InvokeFunction',
      functionName: this.lambda.functionArn,
      principal: new ServicePrincipal('logs.amazonaws.com').service,
      sourceAccount: account,
      sourceArn: `arn:${partition}:logs:${region}:${account}:log-group:*`,
    });
    for (const { name } of registry.filter(writes)) {
      const writer = functions.get(name);
      if (!writer) throw new Error(`The resource ${name} has no function`);
      const filter = new CfnSubscriptionFilter(writer, 'audit', {
        logGroupName: writer.lambda.logGroup.logGroupName,
        destinationArn: this.lambda.functionArn,
        filterPattern: WRITES.logPatternString,
      });
      // CloudWatch Logs invokes the function before it accepts the filter.
      filter.node.addDependency(permission);
    }
  }
}

/** Returns the function of the audit log, under its name; none if no caller has a name. */
export const auditLog = (scope: Construct, props: AuditLogProps): Readonly<Record<string, Lambda>> =>
  props.options.auth === 'none' || props.options.local
    ? {}
    : { audit: new AuditLog(scope, 'audit', props).lambda };

/** True if a resource has a method that is not safe. */
const writes = ({ routes }: Resource): boolean =>
  routes.some(({ endpoints }) => Object.keys(endpoints).some((method) => !SAFE_METHODS.has(method)));
