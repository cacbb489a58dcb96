import { nameFault } from './description.ts';
import type { Objects, OpenedObject } from './objects.ts';

/** Returns the form in which the service stores a new name: NFC, unless that is too long. Source: Unicode Annex 15. */
const newName = (name: string): string =>
  nameFault(name.normalize()) === undefined ? name.normalize() : name;

/** Returns the forms that a stored name can have: as sent, NFC, NFD. Most names have one. */
const formsOf = (name: string): ReadonlySet<string> => new Set([name, newName(name), name.normalize('NFD')]);

/**
 * Opens the object of a file, as `Objects.open` does, and names the form under which it is stored. If no form has an
 * object, it is one with versions of a removed file, or the form of a new name. @throws Unavailable when S3 does not respond
 *
 * Source: Specification 5.1.
 */
export async function openStored(
  objects: Objects,
  name: string,
  most?: number,
): Promise<{ readonly name: string; readonly opened: OpenedObject | 'removed' | undefined }> {
  let removed: string | undefined;
  for (const form of formsOf(name)) {
    const opened = await objects.open(form, most);
    if (opened && opened !== 'removed') return { name: form, opened };
    if (opened) removed ??= form;
  }
  return { name: removed ?? newName(name), opened: removed === undefined ? undefined : 'removed' };
}

/** Returns the form under which a file is stored, as `openStored` names it. @throws Unavailable when S3 does not respond */
export const storedName = async (objects: Objects, name: string): Promise<string> =>
  formsOf(name).size === 1 ? name : (await openStored(objects, name)).name;
