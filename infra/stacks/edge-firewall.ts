import { CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Firewall } from '../constructs/api/firewall.ts';
import type { Options } from '../options.ts';

/**
 * The firewall of a distribution must be in this region. Source: AWS WAF Developer Guide, "Using AWS WAF with CloudFront".
 */
const REGION = 'us-east-1';
const OUTPUT = 'Firewall';

/** The firewall of the edge. It is a stack of its own, because the edge can be in another region. */
export class EdgeFirewall extends Stack {
  constructor(scope: Construct, id: string, { options }: { options: Options }) {
    super(scope, id, {
      description: 'The firewall of a resource-oriented HTTP API',
      env: { account: options.account, region: REGION },
    });
    const { arn } = new Firewall(this, 'firewall', { place: 'CLOUDFRONT', options });
    new CfnOutput(this, OUTPUT, { value: arn, description: 'The web ACL of the distribution' });
  }

  /** The ARN of the firewall for a stack of any region, which CloudFormation then creates after this one. */
  arnFor(stack: Stack): string {
    stack.addStackDependency(this);
    return Fn.getStackOutput(this.stackName, OUTPUT, REGION);
  }
}
