import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type BundledFunctionProps, bundledFunction } from './bundled-function.ts';

/**
 * A Lambda function that serves no resource. A queue, a stream or a schedule invokes it. The caller of the
 * constructor grants permissions to `lambda`.
 */
export class BackgroundFunction extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, props: BundledFunctionProps) {
    super(scope, props.name);
    this.lambda = bundledFunction(this, props);
  }
}
