import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Requests that one address can send in five minutes. The firewall refuses more. */
const RATE = 2000;

/**
 * A web application firewall for the API. It has a rate limit for each address, and the core rules of AWS in count
 * mode. One core rule refuses bodies above 8 KB. Exclude that rule before you let the core rules block requests.
 *
 * Source: AWS WAF Developer Guide, "Rate-based rule statement", "Core rule set (CRS) managed rule group".
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { name, stage }: { name: string; stage: Stage }) {
    super(scope, id);
    const seen = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      // Samples would contain data of clients, so they are off.
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
