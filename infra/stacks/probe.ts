import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { CfnHealthCheck } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { topic } from '../constructs/watch/topics.ts';
import type { Options } from '../options.ts';

/** Route 53 writes the metrics of all health checks here. Source: Amazon Route 53 Developer Guide, "Monitoring health checks using CloudWatch". */
const REGION = 'us-east-1';
/** Regions that ask the service: the fewest that Route 53 allows, because each request has a price. */
const FROM = ['us-east-1', 'eu-west-1', 'ap-southeast-1'];
/** Seconds between two requests of one checker. */
const PAUSE = 30;
/** Minutes without success before the alarm starts. */
const MINUTES = 3;

/**
 * Asks the service from outside, and needs a person at once if no response arrives: also while there are no other
 * requests, if the host name or the certificate is wrong, or if the region of the service fails. It is a stack of its
 * own, because its metrics are in one region.
 */
export class Probe extends Stack {
  constructor(scope: Construct, id: string, { options }: { options: Options & { readonly probe: string } }) {
    super(scope, id, {
      description: 'Asks a resource-oriented HTTP API from outside',
      env: { account: options.account, region: REGION },
    });
    const { name, probe, runbook, alarmEmail } = options;
    const { hostname, pathname } = new URL(probe);
    const check = new CfnHealthCheck(this, 'check', {
      healthCheckConfig: {
        type: 'HTTPS',
        fullyQualifiedDomainName: hostname,
        resourcePath: `${pathname.replace(/\/$/, '')}/health?deep`,
        enableSni: true,
        requestInterval: PAUSE,
        regions: FROM,
      },
      healthCheckTags: [{ key: 'Name', value: name }],
    });
    const action = new SnsAction(
      topic(this, 'topic', { displayName: `Probe of ${name}`, email: alarmEmail }),
    );
    const alarm = new Alarm(this, 'unreachable', {
      alarmName: `${name}-unreachable`,
      alarmDescription: `The service does not respond to requests from outside. What to do: ${runbook}#unreachable`,
      metric: new Metric({
        namespace: 'AWS/Route53',
        metricName: 'HealthCheckStatus',
        dimensionsMap: { HealthCheckId: check.attrHealthCheckId },
        statistic: Stats.MINIMUM,
        period: Duration.minutes(1),
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: MINUTES,
      treatMissingData: TreatMissingData.BREACHING,
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
