import { invalid, notImplemented } from '../../fault.ts';

/** The wire form. Source: DynamoDB API Reference "StreamSpecification". */
export interface StreamSpecification {
  StreamEnabled?: boolean;
  StreamViewType?: string;
}

/** The part of a table's description about its stream. */
export interface StreamFacts {
  StreamSpecification?: StreamSpecification;
  LatestStreamArn?: string;
  LatestStreamLabel?: string;
}

/**
 * Reads the stream specification of a table; undefined if there is no stream. The label is the time of the request in
 * ms.
 * @throws ValidationException; NotImplemented for another view than both images
 */
export function streamOf(
  tableName: string,
  specification: StreamSpecification | undefined,
  now: number,
): StreamFacts {
  const { StreamEnabled: enabled, StreamViewType: view } = specification ?? {};
  if (specification && typeof enabled !== 'boolean') throw invalid('StreamEnabled is required');
  if (!enabled) {
    if (view !== undefined) throw invalid('StreamViewType must be left out where no stream is enabled');
    return {};
  }
  if (view !== 'NEW_AND_OLD_IMAGES') throw notImplemented(`DynamoDB StreamViewType ${view}`);
  const label = new Date(now).toISOString().slice(0, -1);
  return {
    StreamSpecification: { StreamEnabled: true, StreamViewType: view },
    LatestStreamArn: `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}/stream/${label}`,
    LatestStreamLabel: label,
  };
}
