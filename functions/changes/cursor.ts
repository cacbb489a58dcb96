/** Where a reader is in a partition. */
export interface LogPosition {
  /** The reader has passed the changes up to this position. */
  readonly after: number;
  /** The epoch of the partition; undefined in a cursor of a release before epochs. */
  readonly epoch?: string | undefined;
}

/** The position of a reader by partition. */
export type LogPositions = ReadonlyMap<string, LogPosition>;

/** A release before epochs reads an epoch as the place of a partition that it does not know. */
const EPOCH = '_e.00-';
const PLACE = /^([a-z][a-z0-9]*\.[0-9])-([0-9a-z]{1,11})(?:_e\.00-([0-9a-z]{1,7}))?$/;
const BETWEEN = /_(?!e\.00-)/;
const RADIX = 36;

/** Writes the positions of a reader as a cursor, an opaque query parameter. */
export const formatPositions = (positions: LogPositions): string =>
  [...positions]
    .map(([partition, { after, epoch }]) => {
      const place = `${partition}-${after.toString(RADIX)}`;
      return epoch === undefined ? place : `${place}${EPOCH}${epoch}`;
    })
    .join('_');

/** Reads a cursor; undefined: the text is not one. */
export function parsePositions(text: string): LogPositions | undefined {
  const positions = new Map<string, LogPosition>();
  for (const place of text.split(BETWEEN)) {
    const [, partition, digits, epoch] = PLACE.exec(place) ?? [];
    const after = Number.parseInt(digits ?? '', RADIX);
    if (partition === undefined || !Number.isSafeInteger(after)) return undefined;
    positions.set(partition, { after, epoch });
  }
  return positions;
}
