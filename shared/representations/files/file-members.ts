import { mediaTypeFault } from '../../http/fields/media-type.ts';
import type { Fault } from '../../http/problem.ts';
import { otherSpellingOf } from '../../http/request.ts';
import { escapeToken } from '../../json/pointer.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { otherSpelling } from '../../resource/description/misspelt-names.ts';

/** The properties of files with content and of uploads. Source: Specification 5.17, 5.18. */
const MEMBERS = ['filename', 'name', 'contentType', 'content', 'encoding', 'size', 'digest'];
/** Those that the service sets, and shows in its list of files. */
const SHOWN = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'links'];

/** The common properties of an element in a list of files. */
export interface FileMembers {
  readonly name?: string;
  /** The type in `contentType`; undefined if it has none. */
  readonly mediaType?: string;
  readonly digest?: string;
  fault(member: string, detail: string): Fault;
}

/**
 * Reads the common properties of files with content and of uploads: `filename` or `name`, `contentType`, `digest`. It
 * adds every fault to `faults`. `validate` adds its own faults after the fault of the name and before the others.
 */
export function fileMembers(
  element: JsonValue,
  pointer: string,
  faults: Fault[],
  validate: (element: JsonObject, fault: FileMembers['fault']) => void,
): FileMembers | undefined {
  if (!isObject(element)) {
    faults.push({ pointer, detail: 'must be an object' });
    return undefined;
  }
  const naming = namingOf(element) ?? 'filename';
  const fault = (member: string, detail: string): Fault => ({
    pointer: `${pointer}/${member === 'filename' ? naming : member}`,
    detail,
  });
  for (const written of Object.keys(element)) {
    if (MEMBERS.includes(written) || SHOWN.includes(written)) continue;
    const meant = otherSpellingOf(written, MEMBERS) ?? MEMBERS.join(', ');
    faults.push({ pointer: `${pointer}/${escapeToken(written)}`, detail: otherSpelling('files', meant) });
  }
  const name = textOf(element, naming);
  if (name === undefined) faults.push(fault('filename', 'must be a text'));
  validate(element, fault);
  const mediaType = Object.hasOwn(element, 'contentType')
    ? textOf(element, 'contentType')?.trim()
    : undefined;
  const wrong = Object.hasOwn(element, 'contentType') ? mediaTypeFault(mediaType ?? '') : undefined;
  if (wrong) faults.push(fault('contentType', wrong));
  const digest = textOf(element, 'digest');
  if (digest === undefined && Object.hasOwn(element, 'digest'))
    faults.push(fault('digest', 'must be a text'));
  return { name, mediaType, digest, fault };
}

/** The property that names the file; undefined if it has none. */
export const namingOf = (element: JsonObject): 'filename' | 'name' | undefined =>
  (['filename', 'name'] as const).find((member) => Object.hasOwn(element, member));

/** A property that is a text; undefined for any other. */
export function textOf(element: JsonObject, member: string): string | undefined {
  const value = Object.hasOwn(element, member) ? element[member] : undefined;
  return typeof value === 'string' ? value : undefined;
}
