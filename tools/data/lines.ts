import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { UserError } from '../user-error.ts';

/** Reads and writes the lines of an export. */

/** An exported object of S3. `file`: the path of its bytes in the export. `size` in bytes, `sha256` in base64. */
export interface ExportedObject {
  readonly key: string;
  readonly file: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
}

/** An exported item: its stored attributes, and the objects that belong to it. */
export interface Line {
  readonly item: Attributes;
  readonly objects: readonly ExportedObject[];
}

/**
 * Returns a line of an export, without the line feed. The item has the form of DynamoDB's own exports. `import` can
 * therefore read those exports too.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB table export output format", "Full export".
 */
export function lineOf({ item, objects }: Line): string {
  const Item = mapped(item);
  return JSON.stringify(objects.length === 0 ? { Item } : { Item, objects });
}

const mapped = (attributes: Attributes): object =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, written(value)]));

function written(value: AttributeValue): object {
  if (value.M) return { M: mapped(value.M) };
  return value.B === undefined ? value : { B: Buffer.from(value.B).toString('base64') };
}

/** Reads a line. `place`: file and number of the line, for the error. @throws UserError if it is not from an export */
export function readLine(text: string, place: string): Line {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw new UserError(`${place} is not JSON: replace the file by its original`);
  }
  if (!isRecord(line) || !isRecord(line.Item)) throw new UserError(`${place} has no member Item`);
  const item = attributesOf(line.Item, place);
  const objects = line.objects ?? [];
  if (!Array.isArray(objects) || !objects.every(isObject))
    throw new UserError(`${place} has objects without key, file, mediaType, size and sha256`);
  return { item, objects };
}

const attributesOf = (members: Record<string, unknown>, place: string): Attributes =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const attribute = attributeOf(value, place);
      if (!attribute)
        throw new UserError(`${place} has an attribute ${name} that is neither S, N, B, BOOL nor M`);
      return [name, attribute];
    }),
  );

function attributeOf(value: unknown, place: string): AttributeValue | undefined {
  if (!isRecord(value)) return undefined;
  const { S, N, B, BOOL, M } = value;
  if (isRecord(M)) return { M: attributesOf(M, place) };
  if (typeof S === 'string') return { S };
  if (typeof N === 'string') return { N };
  if (typeof BOOL === 'boolean') return { BOOL };
  return typeof B === 'string' ? { B: new Uint8Array(Buffer.from(B, 'base64')) } : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isObject = (value: unknown): value is ExportedObject =>
  isRecord(value) &&
  typeof value.size === 'number' &&
  ['key', 'file', 'mediaType', 'sha256'].every((name) => typeof value[name] === 'string') &&
  /^bytes\/[0-9a-f]{2}\/[0-9a-f]{62}$/.test(String(value.file));
