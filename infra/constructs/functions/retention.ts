import { RemovalPolicy } from 'aws-cdk-lib';
import type { Options } from '../../options.ts';

/**
 * Removal policy of logs, and of the key of the hashes in them. They stay like data until their time is over, because
 * they say what happened before the stack was deleted. A first deployment that fails leaves none.
 *
 * Source: AWS CloudFormation User Guide, "DeletionPolicy attribute".
 */
export const logRetention = ({ data }: Pick<Options, 'data'>): RemovalPolicy =>
  data === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/**
 * Removal policy of stored data. The data stays when the stack is deleted, unless the operator chose `data=destroy`.
 *
 * Source: AWS CloudFormation User Guide, "DeletionPolicy attribute".
 */
export const retention = ({ data }: Pick<Options, 'data'>) => ({
  removalPolicy: data === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  deletionProtection: data === 'retain',
});
