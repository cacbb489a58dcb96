/** The position of a reader by partition. */
export type Positions = ReadonlyMap<string, number>;

const PLACE = /^([a-z][a-z0-9]*\.[0-9]+)-([0-9a-z]{1,11})$/;
const BETWEEN = '_';
const RADIX = 36;

/** Writes the positions of a reader as a cursor, an opaque query parameter. */
export const formatPositions = (positions: Positions): string =>
  [...positions].map(([partition, position]) => `${partition}-${position.toString(RADIX)}`).join(BETWEEN);

/** Reads a cursor; undefined: the text is not one. */
export function parsePositions(text: string): Positions | undefined {
  const positions = new Map<string, number>();
  for (const place of text.split(BETWEEN)) {
    const [, partition, digits] = PLACE.exec(place) ?? [];
    const position = Number.parseInt(digits ?? '', RADIX);
    if (partition === undefined || !Number.isSafeInteger(position)) return undefined;
    positions.set(partition, position);
  }
  return positions;
}
