import { RemovalPolicy } from 'aws-cdk-lib';
import type { Options } from '../../options.ts';

/**
 * Removal policy of stored data. The data stays when the stack is deleted, unless the operator chose `data=destroy`.
 *
 * Source: AWS CloudFormation User Guide, "DeletionPolicy attribute".
 */
export const retention = ({ data }: Pick<Options, 'data'>) => ({
  removalPolicy: data === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  deletionProtection: data === 'retain',
});
