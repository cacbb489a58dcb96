import { gunzipSync } from 'node:zlib';
import type { CloudWatchLogsDecodedData, CloudWatchLogsEvent } from 'aws-lambda';
import { log } from '../../shared/aws/log.ts';

/** The properties of a function's log line that a line of the audit log repeats. */
const REPEATED = [
  'requestId',
  'caller',
  'method',
  'template',
  'status',
  'resource',
  'id',
  'parentId',
  'operationId',
] as const;

/**
 * Returns the lines of the audit log for log lines about writes. `time`: the time of the log line (RFC 3339).
 * CloudWatch Logs may deliver a line twice; both have the same `requestId`.
 *
 * Source: Amazon CloudWatch Logs User Guide, "Log group-level subscription filters"; Specification 11.14.
 */
export function auditLines({ awslogs }: CloudWatchLogsEvent): Readonly<Record<string, unknown>>[] {
  const text = gunzipSync(Buffer.from(awslogs.data, 'base64')).toString();
  const { messageType, logEvents }: CloudWatchLogsDecodedData = JSON.parse(text);
  // CloudWatch Logs sends control messages to test the destination.
  if (messageType !== 'DATA_MESSAGE') return [];
  return logEvents.map(({ timestamp, message }) => {
    const line: Readonly<Record<string, unknown>> = JSON.parse(message);
    const repeated = REPEATED.flatMap((name) => (line[name] === undefined ? [] : [[name, line[name]]]));
    return { time: new Date(timestamp).toISOString(), ...Object.fromEntries(repeated) };
  });
}

/**
 * The handler of the audit function. It repeats the log lines of writes in its own log group: the audit log, which has
 * a retention of its own. CloudWatch Logs calls it with the lines of the other functions.
 */
export const auditing = async (event: CloudWatchLogsEvent): Promise<void> => {
  for (const line of auditLines(event)) log('info', line);
};
