import { isInRange, mediaTypeFault } from '../../http/fields/media-type.ts';
import type { Fault } from '../../http/problem.ts';
import { formatPointer } from '../../json/pointer.ts';
import { type JsonObject, type JsonValue, jsonEqual, setMember } from '../../json/value.ts';
import { binaryField, isShownBinary } from '../binary.ts';
import type { SentBinary, SentBytes } from '../sent.ts';
import type { Description } from './description.ts';
import type { BinaryField } from './field-types.ts';

/** The changes of binary properties in a document, and their faults. */
export interface SentBinaries {
  readonly binaries: readonly SentBinary[];
  readonly faults: readonly Fault[];
}

/**
 * Takes the binary properties out of the values of a document. Null removes the bytes, a `data:` URI sets them, and the
 * object that representations of the item show leaves them as they are. That of another item is a fault, or a value of
 * an undeclared property. `isOwn`: true for the object of the item.
 *
 * Source: Specification 2.24, 2.25.
 */
export function takeBinaries(
  description: Description,
  values: JsonObject,
  isOwn: (value: JsonValue, name: string) => boolean,
): SentBinaries {
  const binaries: SentBinary[] = [];
  const faults: Fault[] = [];
  for (const name of Object.keys(values)) {
    const value = values[name] as JsonValue;
    const field = binaryField(description, name);
    if (!field) {
      if (!Object.hasOwn(description.fields, name) && isOwn(value, name)) delete values[name];
      continue;
    }
    delete values[name];
    if (value === null) binaries.push({ name, sent: undefined });
    else if (typeof value === 'string') {
      const sent = bytesOfDataUri(value, field);
      if (typeof sent === 'string') faults.push({ pointer: formatPointer([name]), detail: sent });
      else binaries.push({ name, sent });
    } else if (!isOwn(value, name)) faults.push({ pointer: formatPointer([name]), detail: UNREADABLE });
  }
  return { binaries, faults };
}

/**
 * Takes the binary properties out of the values after a patch. `present`: the binary properties of the item. `before`:
 * its representation. A property that the patch removes loses its bytes. Values that the patch does not change stay as
 * they are, even if their form is not valid.
 */
export function takeChangedBinaries(
  description: Description,
  present: readonly string[],
  { before, values }: { readonly before: JsonObject; readonly values: JsonObject },
): SentBinaries {
  const removed = present.filter((name) => !Object.hasOwn(values, name));
  const same = Object.entries(values).filter(([name, value]) => {
    const was = Object.hasOwn(before, name) ? before[name] : undefined;
    return was !== undefined && jsonEqual(was, value);
  });
  for (const [name] of same) delete values[name];
  // An object that the patch has changed is not the one that representations show.
  const changed = present.filter(
    (name) => !binaryField(description, name) && isShownBinary(values[name], name),
  );
  for (const name of changed) delete values[name];
  const { binaries, faults } = takeBinaries(description, values, () => false);
  for (const [name, value] of same) if (!present.includes(name)) setMember(values, name, value);
  return {
    binaries: [...binaries, ...removed.map((name) => ({ name, sent: undefined }))],
    faults: [...faults, ...changed.map((name) => ({ pointer: formatPointer([name]), detail: UNREADABLE }))],
  };
}

const UNREADABLE = 'must be a data: URI, null, or the object that GET of this item shows';
const DATA_URI = /^data:([^,]*?)(;[ \t]*base64)?,(.*)$/is;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Returns the bytes of a `data:` URI, or the fault of the text. Source: RFC 2397 §2, §3. */
function bytesOfDataUri(text: string, field: BinaryField): SentBytes | string {
  const [, type, base64, data = ''] = DATA_URI.exec(text) ?? [];
  if (type === undefined) return UNREADABLE;
  const mediaType = type.trim() || 'text/plain;charset=US-ASCII';
  if (mediaTypeFault(mediaType))
    return 'must have a valid media type of at most 255 bytes, as in data:image/png;base64,AAAA';
  if (!isInRange(mediaType, field.accepts)) return `must have the media type ${field.accepts}`;
  const decoded = percentDecoded(data);
  if (decoded === undefined) return 'is not validly percent-encoded';
  if (!base64) return { mediaType, bytes: decoded };
  const encoded = decoded.toString('latin1').replace(/[ \t\r\n]/g, '');
  if (!BASE64.test(encoded)) return 'is not valid base64';
  return { mediaType, bytes: Buffer.from(encoded, 'base64') };
}

/** Returns the bytes of percent-encoded text; undefined if it is malformed. Source: RFC 3986 §2.1. */
function percentDecoded(text: string): Buffer | undefined {
  if (!text.includes('%')) return Buffer.from(text);
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined;
  const encoded = Buffer.from(text).toString('latin1');
  return Buffer.from(
    encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
