import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type BundledFunctionProps, bundledFunction } from './bundled-function.ts';

/**
 * A Lambda function that serves no resource: a queue, a stream or a schedule calls it, after the client was answered.
 * What it may do is granted to `lambda` by whoever makes it.
 */
export class BackgroundFunction extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, props: BundledFunctionProps) {
    super(scope, props.name);
    this.lambda = bundledFunction(this, props);
  }
}
