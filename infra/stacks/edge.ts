import { Aws, CfnOutput, Duration, Fn, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import { OBJECTS_PATH, type Options } from '../options.ts';
import type { Service } from './service.ts';

/** CloudFront keeps what went wrong for ten seconds unless told otherwise: a file is there as soon as it was stored. */
const FAILURES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * One host for the API and for the bytes of large files, at the edge. Requests go to API Gateway as they are; what a `307`
 * leads to goes to S3, which is reached with what the function signed: CloudFront has no access to the bucket of its own.
 * Nothing is cached here: entity tags and `Cache-Control` are for the clients' own caches.
 *
 * Source: Amazon CloudFront Developer Guide, "Request and response behavior for Amazon S3 origins", "Use an Amazon S3
 * origin"; "Control the cache key with a policy".
 */
export class Edge extends Stack {
  constructor(scope: Construct, id: string, { service, options }: { service: Service; options: Options }) {
    super(scope, id, {
      description: 'The edge of a resource-oriented HTTP API',
      env: { account: options.account, region: options.region },
    });
    const { stage, domainName, certificateArn } = options;
    const api = Fn.join('.', [service.apiId, 'execute-api', Aws.REGION, Aws.URL_SUFFIX]);
    const distribution = new Distribution(this, 'distribution', {
      comment: options.name,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(domainName === undefined || certificateArn === undefined
        ? {}
        : {
            domainNames: [domainName],
            certificate: Certificate.fromCertificateArn(this, 'certificate', certificateArn),
            minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
          }),
      defaultBehavior: {
        origin: new HttpOrigin(api, {
          originPath: `/${stage}`,
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        // A host name that API Gateway does not know would be refused.
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        compress: false,
      },
      additionalBehaviors: { [`${OBJECTS_PATH}/*`]: this.#objects(service) },
      errorResponses: FAILURES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    this.#enter(distribution, options);
    new CfnOutput(this, 'URL', {
      value: `https://${domainName ?? distribution.distributionDomainName}`,
      description: 'Where the API is',
    });
  }

  /** The bytes of files: S3 judges the signature, ranges and conditions. It knows no caller, so none is named to it. */
  #objects({ bucket }: Service) {
    return {
      origin: S3BucketOrigin.withBucketDefaults(bucket),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: new OriginRequestPolicy(this, 'signed', {
        comment: 'What was signed, and where a script comes from',
        queryStringBehavior: OriginRequestQueryStringBehavior.all(),
        headerBehavior: OriginRequestHeaderBehavior.allowList(
          'Origin',
          'Access-Control-Request-Headers',
          'Access-Control-Request-Method',
        ),
        cookieBehavior: OriginRequestCookieBehavior.none(),
      }),
      // On the API's own host nothing that somebody stored may run.
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'harmless', {
        comment: 'What was stored is shown as what it is, and runs nothing',
        securityHeadersBehavior: {
          contentTypeOptions: { override: true },
          contentSecurityPolicy: { contentSecurityPolicy: 'sandbox', override: true },
        },
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      compress: false,
      functionAssociations: [
        {
          eventType: FunctionEventType.VIEWER_REQUEST,
          function: new EdgeFunction(this, 'key', {
            comment: 'The key of the object that a path names',
            runtime: FunctionRuntime.JS_2_0,
            code: FunctionCode.fromInline(
              `function handler(event) { event.request.uri = event.request.uri.slice(${OBJECTS_PATH.length}); return event.request; }`,
            ),
          }),
        },
      ],
    };
  }

  /** Enters the host in its zone, where that is in Route 53. */
  #enter(distribution: Distribution, { domainName, hostedZoneId }: Options): void {
    if (domainName === undefined || hostedZoneId === undefined) return;
    const zone = HostedZone.fromHostedZoneAttributes(this, 'zone', { hostedZoneId, zoneName: domainName });
    const target = RecordTarget.fromAlias(new CloudFrontTarget(distribution));
    const record = { zone, recordName: `${domainName}.`, target };
    new ARecord(this, 'alias', record);
    new AaaaRecord(this, 'alias-6', record);
  }
}
