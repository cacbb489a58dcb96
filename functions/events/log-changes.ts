import { attributesIn, isImported } from '../../shared/events/cloud-event.ts';
import { keptDays, type Resource } from '../../shared/resource/resource.ts';
import { UPDATED, VERSION } from '../../shared/store/form/table.ts';
import { partsOfItem } from '../../shared/store/form/totals-rows.ts';
import { imageOf } from '../../shared/store/history/versions-table.ts';
import { append, type Committed, type Gap } from './append.ts';
import type { RecordedChange } from './read-changes.ts';
import { isSelectable } from './wake-fan-out.ts';

/** The log keeps the changes of a resource without history for subscriptions: a day longer than attempts. */
const FOR_SUBSCRIPTIONS = { days: 7 };

/** Returns how long the log keeps the changes of a resource; undefined: it skips them. An undo finds files there. */
export function loggedFor(
  resource: Resource,
  registry: readonly Resource[],
): { readonly days: number } | undefined {
  const days = registry.some(({ history }) => history) ? keptDays([resource]) : undefined;
  const selected = isSelectable(resource, registry) ? FOR_SUBSCRIPTIONS : undefined;
  return resource.history ?? (days === undefined ? selected : { days });
}

/**
 * Adds changes to the log, if their resources have a history, if they are files with versions, or if subscriptions can
 * select them. The log skips a change that it has. Returns the versions that it lacks.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 17.6.
 */
export const logChanges = (
  registry: readonly Resource[],
  changes: readonly RecordedChange[],
): Promise<readonly Gap[]> => append(changes.flatMap((one) => committedIn(registry, one) ?? []));

function committedIn(
  registry: readonly Resource[],
  { resource, change, record }: Pick<RecordedChange, 'resource' | 'change' | 'record'>,
): Committed | undefined {
  const history = loggedFor(resource, registry);
  const { OldImage, NewImage } = record.dynamodb ?? {};
  const image = NewImage ?? OldImage;
  if (!history || !image) return undefined;
  const { item, envelope } = change;
  return {
    resource: { name: resource.name, keptTotals: resource.keptTotals, history },
    id: item.id,
    version: item.version + (NewImage ? 0 : 1),
    // No client reads the log of a resource without history, and streams leave out some of its versions.
    before:
      resource.history && OldImage && !isImported(attributesIn(OldImage))
        ? { version: Number(OldImage[VERSION]?.N), time: Number(OldImage[UPDATED]?.N) }
        : undefined,
    time: item.updatedAt,
    event: JSON.stringify(envelope),
    image: imageOf(attributesIn(image)),
    ...(resource.keptTotals ? { adds: NewImage ? partsOfItem(resource, attributesIn(NewImage)) : [] } : {}),
  };
}
