import type { JsonValue } from './value.ts';
import { emptyObject, isObject } from './value.ts';

/**
 * The target with a merge patch applied: members of the patch replace those of the target, null removes them, objects
 * merge, anything else replaces the whole. Neither argument is changed; unchanged parts are shared with the result.
 * Source: RFC 7396 §2.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const merged = isObject(target) ? Object.assign(emptyObject(), target) : emptyObject();
  for (const name of Object.keys(patch)) {
    const value = patch[name] as JsonValue;
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}
