import { RemovalPolicy } from 'aws-cdk-lib';
import type { Options } from '../options.ts';

/**
 * What becomes of stored data when its stack is destroyed: it stays, unless the operator said otherwise.
 *
 * Source: AWS CloudFormation User Guide, "DeletionPolicy attribute".
 */
export const retention = ({ data }: Pick<Options, 'data'>) => ({
  removalPolicy: data === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  deletionProtection: data === 'retain',
});
