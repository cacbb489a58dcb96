import { CfnOutput, Stack } from 'aws-cdk-lib';
import { DomainName, EndpointType, type RestApiBase, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { Options } from '../../options.ts';

/**
 * The operator's own host for the API. The API Gateway host is disabled, so that every link uses this host. If the
 * zone is in Route 53, the stack creates the DNS record. Otherwise an output names the target of the record.
 *
 * Source: API Gateway Developer Guide, "Custom domain names for REST APIs", "Disable the default endpoint".
 */
export class Host extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { api, options }: { api: RestApiBase; options: Options }) {
    super(scope, id);
    const { domainName = '', certificateArn = '', hostedZoneId, basePath = '' } = options;
    const host = new DomainName(this, 'name', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    const path = basePath.slice(1);
    if (path.includes('/')) host.addApiMapping(api.deploymentStage, { basePath: path });
    else host.addBasePathMapping(api, { basePath: path || undefined, stage: api.deploymentStage });
    this.url = `https://${domainName}${basePath}`;
    if (hostedZoneId === undefined) {
      new CfnOutput(Stack.of(this), 'HostAlias', {
        value: host.domainNameAliasDomainName,
        description: `Where a CNAME record of ${domainName} must lead`,
      });
      return;
    }
    const zone = HostedZone.fromHostedZoneAttributes(this, 'zone', { hostedZoneId, zoneName: domainName });
    new ARecord(this, 'alias', {
      zone,
      recordName: `${domainName}.`,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(host)),
    });
  }
}
