import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { orUnavailable } from '../../../shared/aws/faults.ts';
import type { CloudEvent } from '../../../shared/events/cloud-event.ts';
import { lacksTenant, ownerOf } from '../../../shared/resource/access/owner.ts';
import { referencesOf } from '../../../shared/resource/description/references.ts';
import { descriptionOf, keptDays, type Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { authorsOf, identifierOf, number, text } from '../../../shared/store/form/attributes.ts';
import {
  CHANGES_TABLE,
  EVENT,
  IMAGE,
  isRemoval,
  POSITIONS_OF_MS,
  partitionsOf,
  versionOfChange,
} from '../../../shared/store/form/log-table.ts';
import { isVisible } from '../../../shared/store/form/owner.ts';
import { CREATED, markIn, UPDATED } from '../../../shared/store/form/table.ts';
import { and, compare, readExpression, within } from '../../../shared/store/write/expression.ts';
import { CLOCKS_MS, isSelected, type Selection, undoable } from './selection.ts';

/** A place in the walk: the log of a resource has partitions, and a walk reads each from its end. */
export interface Place {
  readonly resource: string;
  readonly partition: number;
  /** The position of the last change that the walk has passed; undefined: none. */
  readonly below?: number;
}

/** A change in the log that may be selected: the item and the version that the change made. */
export interface Candidate {
  readonly id: number | string;
  readonly version: number;
  /** The creation of a file, which counts its versions from there, in ms since the epoch. */
  readonly created: number;
  /** Its place in the log. */
  readonly partition: number;
  readonly position: number;
}

/** True if the items of a resource, or the files, can go back. */
export const isKept = (one: Resource): boolean => one.history !== undefined || keptDays([one]) !== undefined;

/** Returns the selected resources with history, those to which others refer first. */
export function walkedBy(
  { resources, caller }: Selection,
  registry: readonly Resource[],
): readonly Resource[] {
  const wanted = undoable(registry).filter(
    (one) =>
      isKept(one) &&
      (resources?.includes(one.name) ?? true) &&
      (caller.isManager || !lacksTenant(one, caller)),
  );
  const inOrder = new Set<Resource>();
  const visit = (one: Resource, above: readonly Resource[]): void => {
    const { description } = one;
    for (const { to } of description ? referencesOf(description) : []) {
      const other = wanted.find(({ name }) => name === to.resource);
      if (other && !above.includes(other)) visit(other, [...above, other]);
    }
    inOrder.add(one);
  };
  for (const one of wanted) visit(one, [one]);
  return [...inOrder];
}

/** Returns the place after the last change of a partition; undefined at the end of the walk. */
export function placeAfter(
  { resource, partition }: Pick<Place, 'resource' | 'partition'>,
  walked: readonly Resource[],
): Place | undefined {
  const at = walked.findIndex(({ name }) => name === resource);
  const present = walked[at];
  if (present && partition + 1 < partitionsOf(present).length) return { resource, partition: partition + 1 };
  const next = walked[at + 1];
  return next && { resource: next.name, partition: 0 };
}

/**
 * Reads changes of a partition before a place, the newest one first. `below`: the position of the last of them; undefined
 * if the partition has no more.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function readBack(
  resource: Resource,
  { partition, below }: Place,
  { selection, limit }: { readonly selection: Selection; readonly limit: number },
): Promise<{ readonly candidates: readonly Candidate[]; readonly below: number | undefined }> {
  const from = Math.max(0, selection.since - CLOCKS_MS) * POSITIONS_OF_MS;
  const to = below === undefined ? Number.MAX_SAFE_INTEGER : below - 1;
  const { Items = [], LastEvaluatedKey } = await orUnavailable(
    dynamoDb().send(
      new QueryCommand({
        TableName: config.tableName(CHANGES_TABLE.name),
        ...readExpression({
          key: and(
            compare(CHANGES_TABLE.key, '=', text(partitionsOf(resource)[partition] ?? '')),
            within(CHANGES_TABLE.sort, number(from), number(Math.max(from, to))),
          ),
        }),
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit,
      }),
    ),
  );
  const last = Items.at(-1)?.[CHANGES_TABLE.sort]?.N;
  return {
    candidates: Items.flatMap((row) => candidateIn(resource, row, partition, selection) ?? []),
    below: LastEvaluatedKey && last !== undefined ? Number(last) : undefined,
  };
}

/**
 * Returns the change in a row, unless its author or its operation is another one. The row of a removal names neither, so the
 * versions of the item decide. After an erasure, a row has no change.
 */
function candidateIn(
  resource: Resource,
  row: Attributes,
  partition: number,
  selection: Selection,
): Candidate | undefined {
  const image = row[IMAGE]?.M;
  const stored = row[EVENT]?.S;
  if (!image || !stored || !isVisible(image, ownerOf(resource, selection.caller))) return undefined;
  const event: CloudEvent = JSON.parse(stored);
  const time = Number(image[UPDATED]?.N);
  if (
    !isRemoval(event, image) &&
    !isSelected(selection, { time, by: authorsOf(image).updatedBy, mark: markIn(image, time) })
  )
    return undefined;
  const id = identifierOf(descriptionOf(resource), image);
  const created = Number(image[CREATED]?.N);
  return {
    id,
    version: versionOfChange(event),
    created,
    partition,
    position: Number(row[CHANGES_TABLE.sort]?.N),
  };
}
