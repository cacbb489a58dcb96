import type { JsonValue } from './value.ts';
import { emptyObject, isObject } from './value.ts';

/**
 * Applies a merge patch to a target. Properties of the patch replace those of the target, null removes them, and
 * objects merge. A patch that is not an object replaces the whole. Neither argument changes. The result shares
 * unchanged parts with the target.
 *
 * Source: RFC 7396 §2.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const merged = isObject(target) ? Object.assign(emptyObject(), target) : emptyObject();
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}
