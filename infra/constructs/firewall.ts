import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Requests from one address in five minutes before it is refused. */
const RATE = 2000;

/**
 * A web application firewall in front of the API: a rate for each address, and AWS's own rules, which only count at first.
 * One of them refuses bodies above 8 KB: whoever lets them refuse leaves that one out.
 *
 * Source: AWS WAF Developer Guide, "Rate-based rule statement", "Core rule set (CRS) managed rule group".
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { name, stage }: { name: string; stage: Stage }) {
    super(scope, id);
    const seen = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      // No request is kept as a sample: it would hold what clients sent.
      sampledRequestsEnabled: false,
      metricName,
    });
    const acl = new CfnWebACL(this, 'acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: seen(name),
      rules: [
        {
          name: 'rate',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: { limit: RATE, evaluationWindowSec: 300, aggregateKeyType: 'IP' },
          },
          visibilityConfig: seen(`${name}-rate`),
        },
        {
          name: 'core',
          priority: 1,
          overrideAction: { count: {} },
          statement: {
            managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesCommonRuleSet' },
          },
          visibilityConfig: seen(`${name}-core`),
        },
      ],
    });
    new CfnWebACLAssociation(this, 'association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
  }
}
