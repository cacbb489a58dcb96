import { files } from '../../service/files.ts';
import { registry } from '../../service/registry.ts';
import { type Comparison, sendComparison } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { log } from '../../shared/aws/log.ts';
import { ABANDONED_MS } from '../../shared/files/binaries/leftovers.ts';
import { bytesAndItems } from '../../shared/files/comparison/bytes.ts';
import { compare as compareStores } from '../../shared/files/comparison/compare.ts';
import { filesAndRows } from '../../shared/files/comparison/files.ts';
import { COMPARISON_STOPPED, countMetric } from '../../shared/lambda/logs/measures.ts';
import type { Times } from '../../shared/lambda/retried.ts';

/**
 * Compares two stores and repairs differences. Another message continues the work if the time does not suffice. An alarm
 * counts the comparisons that stop.
 */
export async function compare(comparison: Comparison, { deadline }: Times): Promise<void> {
  const { of: compared } = comparison;
  const settled = currentTime() - ABANDONED_MS;
  const stores =
    compared === 'bytes' ? bytesAndItems(registry, settled) : files && filesAndRows(files, settled);
  const found = stores && (await compareStores(stores, comparison, deadline));
  if (found?.kind === 'stopped') {
    const { kind: _, ...facts } = found;
    const metric = countMetric(COMPARISON_STOPPED.metric, currentTime());
    log('error', { event: COMPARISON_STOPPED.event, compared, ...facts, ...metric });
  } else if (found) {
    const { changed, rest } = found;
    log('info', { compared, changed, isComplete: rest === undefined });
    if (rest) await sendComparison(rest);
  }
}
