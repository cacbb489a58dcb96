import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { PROBLEMS, typeOf } from '../../../shared/http/problem.ts';
import { type Options, pathPrefix } from '../../options.ts';

/** Requests that one address can send in five minutes. The firewall refuses more. */
const RATE = 2000;
/** Seconds. */
const WINDOW = 300;

const BODY = 'too-many-requests';

/**
 * A web application firewall. It has a rate limit for each address, and the core rules of AWS in count mode. One core
 * rule refuses bodies above 8 KB. Exclude that rule before you let the core rules block requests.
 *
 * `place`: REGIONAL for a stage of API Gateway; CLOUDFRONT for a distribution, and then the stack is in us-east-1.
 *
 * Source: AWS WAF Developer Guide, "Rate-based rule statement", "Core rule set (CRS) managed rule group".
 */
export class Firewall extends Construct {
  readonly arn: string;

  constructor(
    scope: Construct,
    id: string,
    { place, options }: { place: 'REGIONAL' | 'CLOUDFRONT'; options: Options },
  ) {
    super(scope, id);
    const { name } = options;
    const seen = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      // Samples would contain data of clients, so they are off.
      sampledRequestsEnabled: false,
      metricName,
    });
    const acl = new CfnWebACL(this, 'acl', {
      scope: place,
      defaultAction: { allow: {} },
      visibilityConfig: seen(name),
      customResponseBodies: { [BODY]: { contentType: 'APPLICATION_JSON', content: problemOf(options) } },
      rules: [
        {
          name: 'rate',
          priority: 0,
          action: { block: { customResponse: refusal(options) } },
          statement: {
            rateBasedStatement: { limit: RATE, evaluationWindowSec: WINDOW, aggregateKeyType: 'IP' },
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
    this.arn = acl.attrArn;
  }

  /** Lets the firewall see the requests to a stage. */
  protect({ stageArn }: Stage): void {
    new CfnWebACLAssociation(this, 'association', { resourceArn: stageArn, webAclArn: this.arn });
  }
}

/**
 * Returns the response to an address above its limit. It takes precedence over the gateway responses. AWS WAF chooses
 * the media type application/json and knows no number of the request.
 *
 * Source: AWS WAF Developer Guide, "Custom responses for Block actions"; Specification 10.11.
 */
function refusal({ allowedOrigin = '*' }: Options): CfnWebACL.CustomResponseProperty {
  const headers = {
    'Retry-After': String(WINDOW),
    'RateLimit-Policy': `"address";q=${RATE};w=${WINDOW}`,
    RateLimit: `"address";r=0;t=${WINDOW}`,
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': allowedOrigin,
    // A value has at most 255 characters, so this names only what the refusal has.
    'Access-Control-Expose-Headers': 'Retry-After, RateLimit, RateLimit-Policy',
  };
  return {
    responseCode: PROBLEMS[BODY].status,
    customResponseBodyKey: BODY,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
}

const problemOf = (options: Options): string =>
  JSON.stringify({
    type: typeOf(BODY, pathPrefix(options)),
    ...PROBLEMS[BODY],
    detail: `An address can send ${RATE} requests in ${WINDOW} seconds. Wait as long as Retry-After says`,
  });
