import { Aws, CfnOutput, Duration, Fn, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
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
import { DOCUMENTATION, OPENAPI } from '../../shared/resource/link.ts';
import { OBJECTS_PATH, type Options } from '../options.ts';
import type { EdgeFirewall } from './edge-firewall.ts';
import type { Service } from './service.ts';

/**
 * By default, CloudFront caches errors for ten seconds. The service turns this off, so that a new file is readable at
 * once.
 */
const FAILURES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** The public documents that change only with a deployment. Anyone can request them often. */
const DOCUMENTATION_PATHS = [OPENAPI, DOCUMENTATION, '/assets/*'];

/**
 * One CloudFront host for the API and for the bytes of large files. CloudFront passes requests to API Gateway
 * unchanged. The target of a `307` is S3, with the URL that the function signed. CloudFront itself has no access to
 * the bucket. It caches the documentation alone: for all else, `Cache-Control` is for the caches of clients.
 *
 * Source: Amazon CloudFront Developer Guide, "Request and response behavior for Amazon S3 origins", "Use an Amazon S3
 * origin"; "Control the cache key with a policy".
 */
export class Edge extends Stack {
  constructor(
    scope: Construct,
    id: string,
    {
      service,
      firewall,
      options,
    }: { service: Service; firewall: EdgeFirewall | undefined; options: Options },
  ) {
    super(scope, id, {
      description: 'The edge of a resource-oriented HTTP API',
      env: { account: options.account, region: options.region },
    });
    const { stage, domainName, certificateArn } = options;
    const api = Fn.join('.', [service.api.restApiId, 'execute-api', Aws.REGION, Aws.URL_SUFFIX]);
    const toApi: BehaviorOptions & { origin: HttpOrigin } = {
      origin: new HttpOrigin(api, {
        originPath: `/${stage}`,
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // API Gateway refuses a host name that it does not know.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      compress: false,
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_RESPONSE, function: this.#withoutType() }],
    };
    const cached = { ...toApi, cachePolicy: this.#documentation() };
    const distribution = new Distribution(this, 'distribution', {
      comment: options.name,
      httpVersion: HttpVersion.HTTP2_AND_3,
      webAclId: firewall?.arnFor(this),
      ...(domainName === undefined || certificateArn === undefined
        ? {}
        : {
            domainNames: [domainName],
            certificate: Certificate.fromCertificateArn(this, 'certificate', certificateArn),
            minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
          }),
      defaultBehavior: toApi,
      additionalBehaviors: {
        [`${OBJECTS_PATH}/*`]: this.#objects(service),
        ...Object.fromEntries(DOCUMENTATION_PATHS.map((path) => [path, cached])),
      },
      errorResponses: FAILURES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    this.#enter(distribution, options);
    new CfnOutput(this, 'URL', {
      value: `https://${domainName ?? distribution.distributionDomainName}`,
      description: 'The URL of the API',
    });
  }

  /**
   * Removes the type that API Gateway adds to a 201 or a redirect without content: a client would parse the content. An empty
   * file has its type.
   *
   * Source: Specification 2.51; Amazon CloudFront Developer Guide, "CloudFront Functions event structure".
   */
  #withoutType(): EdgeFunction {
    return new EdgeFunction(this, 'empty', {
      comment: 'Removes Content-Type from responses without content',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(
        "function handler(event) { var r = event.response; var length = r.headers['content-length']; if (r.statusCode !== 200 && length && length.value === '0') delete r.headers['content-type']; return r; }",
      ),
    });
  }

  /**
   * Caches as long as the response says, by everything that it depends on. The service says an hour for its
   * documentation, so a cached page reaches no function, and no-store for errors.
   *
   * Source: Amazon CloudFront Developer Guide, "Understand cache policies"; RFC 9111 §4.1.
   */
  #documentation(): CachePolicy {
    return new CachePolicy(this, 'documentation', {
      comment: 'Cache-Control of the service',
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.hours(1),
      headerBehavior: CacheHeaderBehavior.allowList('Accept', 'Accept-Encoding', 'Origin', 'Prefer'),
      queryStringBehavior: CacheQueryStringBehavior.all(),
    });
  }

  /**
   * The behavior for the bytes of files. S3 checks the signature, ranges and preconditions. It does not know the
   * callers, so CloudFront passes no cookies and no credentials.
   */
  #objects({ bucket }: Service) {
    return {
      origin: S3BucketOrigin.withBucketDefaults(bucket),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: new OriginRequestPolicy(this, 'signed', {
        comment: 'Forwards the signed headers and the origin of a script',
        queryStringBehavior: OriginRequestQueryStringBehavior.all(),
        headerBehavior: OriginRequestHeaderBehavior.allowList(
          'Origin',
          'Access-Control-Request-Headers',
          'Access-Control-Request-Method',
        ),
        cookieBehavior: OriginRequestCookieBehavior.none(),
      }),
      // No script in a stored file can run on the API's own host.
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'harmless', {
        comment: 'Browsers trust the stored media type and run no script',
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
            comment: 'Makes the key of the object from the path',
            runtime: FunctionRuntime.JS_2_0,
            code: FunctionCode.fromInline(
              `function handler(event) { event.request.uri = event.request.uri.slice(${OBJECTS_PATH.length}); return event.request; }`,
            ),
          }),
        },
      ],
    };
  }

  /** Creates the DNS records if the zone is in Route 53. */
  #enter(distribution: Distribution, { domainName, hostedZoneId }: Options): void {
    if (domainName === undefined || hostedZoneId === undefined) return;
    const zone = HostedZone.fromHostedZoneAttributes(this, 'zone', { hostedZoneId, zoneName: domainName });
    const target = RecordTarget.fromAlias(new CloudFrontTarget(distribution));
    const record = { zone, recordName: `${domainName}.`, target };
    new ARecord(this, 'alias', record);
    new AaaaRecord(this, 'alias-6', record);
  }
}
