import { createHash } from 'node:crypto';
import { resourceOfPartition } from '../../shared/store/form/log-table.ts';

/** Where a reader is in a partition. */
export interface LogPosition {
  /** The reader has passed the changes up to this position. */
  readonly after: number;
  /** The epoch of the partition, 32 bits in base 36. */
  readonly epoch: string;
}

/** What a cursor says of a partition. One of a release before epochs names none. */
export type KnownPosition = Pick<LogPosition, 'after'> & Partial<LogPosition>;

/** Bytes of a place in a cursor: the number of its partition, its position and its epoch. */
const PLACE_BYTES = 13;
const DIGEST_BYTES = 4;
const RADIX = 36;

/**
 * Writes the positions of a reader, by partition, as an opaque query parameter. For each resource it has the length of
 * the name, the name, the number of places and the places. At the end, a digest finds a cursor with wrong characters.
 */
export function formatPositions(positions: ReadonlyMap<string, LogPosition>): string {
  const resources = Map.groupBy(positions, ([partition]) => resourceOfPartition(partition));
  const payload = Buffer.concat(
    [...resources].flatMap(([name, places]) => [
      Buffer.from([name.length, ...Buffer.from(name, 'latin1'), places.length]),
      ...places.map(([partition, place]) => placeBytes(Number(partition.slice(name.length + 1)), place)),
    ]),
  );
  const digest = createHash('sha256').update(payload).digest().subarray(0, DIGEST_BYTES);
  return Buffer.concat([payload, digest]).toString('base64url');
}

function placeBytes(partition: number, { after, epoch }: LogPosition): Buffer {
  const bytes = Buffer.alloc(PLACE_BYTES, partition);
  bytes.writeBigUInt64BE(BigInt(after), 1);
  bytes.writeUInt32BE(Number.parseInt(epoch, RADIX), 9);
  return bytes;
}

/** Reads a cursor, also one of an earlier release. Undefined: the text is not one. */
export function parsePositions(text: string): ReadonlyMap<string, KnownPosition> | undefined {
  const positions = readPlaces(Buffer.from(text, 'base64url').subarray(0, -DIGEST_BYTES));
  return positions.size > 0 && formatPositions(positions) === text ? positions : parseEarlier(text);
}

/** Reads whole places. Those of another text give another text, or none. */
function readPlaces(payload: Buffer): ReadonlyMap<string, LogPosition> {
  const positions = new Map<string, LogPosition>();
  for (let at = 0; at < payload.length; ) {
    const named = at + 1 + (payload[at] ?? 0);
    const name = payload.toString('latin1', at + 1, named);
    at = named + 1 + (payload[named] ?? 0) * PLACE_BYTES;
    if (at > payload.length) break;
    for (let place = named + 1; place < at; place += PLACE_BYTES) {
      const after = Number(payload.readBigUInt64BE(place + 1));
      if (!Number.isSafeInteger(after)) return new Map();
      const epoch = payload.readUInt32BE(place + 9).toString(RADIX);
      positions.set(`${name}.${payload[place]}`, { after, epoch: epoch.padStart(7, '0') });
    }
  }
  return positions;
}

const EARLIER = /^([a-z][a-z0-9]*\.[0-9])-([0-9a-z]{1,11})(?:_e\.00-([0-9a-z]{1,7}))?$/;
const BETWEEN = /_(?!e\.00-)/;

/** Reads a cursor of a release whose cursors were texts such as `orders.0-hq3w1v5k8g_e.00-1b2c3d4`. */
function parseEarlier(text: string): ReadonlyMap<string, KnownPosition> | undefined {
  const positions = new Map<string, KnownPosition>();
  for (const place of text.split(BETWEEN)) {
    const [, partition, digits = '', epoch] = EARLIER.exec(place) ?? [];
    const after = Number.parseInt(digits, RADIX);
    if (partition === undefined || !Number.isSafeInteger(after)) return undefined;
    positions.set(partition, { after, ...(epoch === undefined ? {} : { epoch }) });
  }
  return positions;
}
