import { attributesIn } from '../../shared/events/cloud-event.ts';
import { imageOf } from '../../shared/store/history/kept-version.ts';
import { IMPORTED, UPDATED, VERSION } from '../../shared/store/items/table.ts';
import { append, type Committed, type Gap } from './append.ts';
import type { RecordedChange } from './read-changes.ts';

/**
 * Adds changes to the log, if their resources have a history. The log skips a change that it has. Returns the versions
 * that it lacks.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 17.6.
 */
export const logChanges = (changes: readonly RecordedChange[]): Promise<readonly Gap[]> =>
  append(changes.flatMap((one) => committedIn(one) ?? []));

function committedIn({
  resource,
  change,
  record,
}: Pick<RecordedChange, 'resource' | 'change' | 'record'>): Committed | undefined {
  const { OldImage, NewImage } = record.dynamodb ?? {};
  const image = NewImage ?? OldImage;
  if (!resource.history || !image) return undefined;
  const { item, envelope } = change;
  const isImported = OldImage?.[IMPORTED]?.N !== undefined && OldImage[IMPORTED].N === OldImage[VERSION]?.N;
  return {
    resource: { name: resource.name, history: resource.history },
    id: item.id,
    version: item.version + (NewImage ? 0 : 1),
    before:
      OldImage && !isImported
        ? { version: Number(OldImage[VERSION]?.N), time: Number(OldImage[UPDATED]?.N) }
        : undefined,
    time: item.updatedAt,
    event: JSON.stringify(envelope),
    image: imageOf(attributesIn(image)),
  };
}
