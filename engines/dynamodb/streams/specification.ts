import { invalid, notImplemented } from '../../fault.ts';

/** On the wire. Source: DynamoDB API Reference "StreamSpecification". */
export interface StreamSpecification {
  StreamEnabled?: boolean;
  StreamViewType?: string;
}

/** What a table's description says of its stream. */
export interface StreamFacts {
  StreamSpecification?: StreamSpecification;
  LatestStreamArn?: string;
  LatestStreamLabel?: string;
}

/**
 * Reads how a table is to be streamed; nothing, when it is not. The label is the time when that was asked for, in ms.
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
