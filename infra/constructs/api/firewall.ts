import { ArnFormat } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { PROBLEMS, typeOf } from '../../../shared/http/problem.ts';
import { cookieName } from '../../../shared/http/sign-in.ts';
import { ADDRESS_SECONDS } from '../../gateway/throttling.ts';
import { type Options, pathPrefix } from '../../options.ts';
import { logRetention } from '../functions/retention.ts';

const BODY = 'too-many-requests';

/** The groups of rules of AWS, each with the rules of it that only count. */
const GROUPS: readonly (readonly [group: string, counted: readonly string[]])[] = [
  // An order with many products, or a file, has more than 8 KB.
  ['AWSManagedRulesCommonRuleSet', ['SizeRestrictions_BODY']],
  ['AWSManagedRulesKnownBadInputsRuleSet', []],
  ['AWSManagedRulesAmazonIpReputationList', []],
];

/**
 * A web application firewall. It limits the requests of an address that carry no token: a caller with one has a limit of
 * its own. Groups of rules of AWS count or block known attacks. A log has what they counted and blocked, without tokens,
 * cookies and queries.
 *
 * `place`: REGIONAL for a stage of API Gateway; CLOUDFRONT for a distribution, and then the stack is in us-east-1.
 *
 * Source: AWS WAF Developer Guide, "Rate-based rule statement", "AWS Managed Rules rule groups list", "Logging AWS WAF
 * protection pack (web ACL) traffic".
 */
export class Firewall extends Construct {
  readonly arn: string;

  constructor(
    scope: Construct,
    id: string,
    { place, options }: { place: 'REGIONAL' | 'CLOUDFRONT'; options: Options },
  ) {
    super(scope, id);
    const { name, waf, addressRateLimit } = options;
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
            rateBasedStatement: {
              limit: addressRateLimit,
              evaluationWindowSec: ADDRESS_SECONDS,
              aggregateKeyType: 'IP',
              scopeDownStatement: {
                andStatement: { statements: [without('authorization'), withoutCookie()] },
              },
            },
          },
          visibilityConfig: seen(`${name}-rate`),
        },
        ...GROUPS.map(([group, counted], at) => ({
          name: group,
          priority: at + 1,
          overrideAction: waf === 'block' ? { none: {} } : { count: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: group,
              ruleActionOverrides: counted.map((one) => ({ name: one, actionToUse: { count: {} } })),
            },
          },
          visibilityConfig: seen(`${name}-${group}`),
        })),
      ],
    });
    logRefusals(this, acl, options);
    this.arn = acl.attrArn;
  }

  /** Lets the firewall see the requests to a stage. */
  protect({ stageArn }: Stage): void {
    new CfnWebACLAssociation(this, 'association', { resourceArn: stageArn, webAclArn: this.arn });
  }
}

const UNCHANGED = [{ priority: 0, type: 'NONE' }];

/** Returns a statement that a request without a header field meets. */
const without = (name: string): CfnWebACL.StatementProperty => ({
  notStatement: {
    statement: {
      sizeConstraintStatement: {
        fieldToMatch: { singleHeader: { Name: name } },
        comparisonOperator: 'GE',
        size: 1,
        textTransformations: UNCHANGED,
      },
    },
  },
});

/** Returns a statement that a request without the cookie of the sign-in meets. The name of the cookie ends with the base path. */
const withoutCookie = (): CfnWebACL.StatementProperty => ({
  notStatement: {
    statement: {
      byteMatchStatement: {
        fieldToMatch: { singleHeader: { Name: 'cookie' } },
        positionalConstraint: 'CONTAINS',
        searchString: cookieName('access', ''),
        textTransformations: UNCHANGED,
      },
    },
  },
});

/** Adds a log of the requests that a rule counted or blocked. Its name has the beginning that AWS WAF requires. */
function logRefusals(scope: Construct, { attrArn }: CfnWebACL, options: Options): void {
  const group = new LogGroup(scope, 'log', {
    logGroupName: `aws-waf-logs-${options.name}`,
    retention: options.logRetentionDays,
    removalPolicy: logRetention(options),
  });
  const { stack } = group;
  new CfnLoggingConfiguration(scope, 'logging', {
    resourceArn: attrArn,
    // The ARN of a log group ends with `:*`, which AWS WAF refuses.
    logDestinationConfigs: [
      stack.formatArn({
        service: 'logs',
        resource: 'log-group',
        resourceName: group.logGroupName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
    redactedFields: [
      { singleHeader: { Name: 'authorization' } },
      { singleHeader: { Name: 'cookie' } },
      { queryString: {} },
    ],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [
        {
          Behavior: 'KEEP',
          Requirement: 'MEETS_ANY',
          Conditions: ['BLOCK', 'COUNT', 'EXCLUDED_AS_COUNT'].map((Action) => ({
            ActionCondition: { Action },
          })),
        },
      ],
    },
  });
}

/**
 * Returns the response to an address above its limit. It takes precedence over the gateway responses. AWS WAF chooses
 * the media type application/json and knows no number of the request.
 *
 * Source: AWS WAF Developer Guide, "Custom responses for Block actions"; Specification 10.11.
 */
function refusal({ allowedOrigin = '*', addressRateLimit }: Options): CfnWebACL.CustomResponseProperty {
  const headers = {
    'Retry-After': String(ADDRESS_SECONDS),
    'RateLimit-Policy': `"address";q=${addressRateLimit};w=${ADDRESS_SECONDS}`,
    RateLimit: `"address";r=0;t=${ADDRESS_SECONDS}`,
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
    detail: `An address can send ${options.addressRateLimit} requests without a token in ${ADDRESS_SECONDS} seconds. Wait as long as Retry-After says`,
  });
