import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { fanOut } from './fan-out.ts';

/**
 * Makes a waiting row for each change in the log and each subscription that selects it. A message says only that the log
 * has grown, so one run is for all messages. If an engine does not respond, SQS delivers them again.
 *
 * Source: Specification 18.1, 18.9.
 */
export const handler = observeBackground('fanout', async (_: SQSEvent): Promise<SQSBatchResponse> => {
  await fanOut();
  return { batchItemFailures: [] };
});
