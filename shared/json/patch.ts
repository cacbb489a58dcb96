import { Draft, type UserError } from './draft.ts';
import { child, formatPointer, parsePointer, resolve } from './pointer.ts';
import { emptyObject, isObject, type JsonObject, type JsonValue, jsonEqual } from './value.ts';

/** One operation of a JSON Patch, its pointers as reference tokens. Source: RFC 6902 §4. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: readonly string[]; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: readonly string[] }
  | { readonly op: 'move' | 'copy'; readonly path: readonly string[]; readonly from: readonly string[] };

/**
 * Why a patch document is malformed. `operation` is an index, or -1 for the whole document. `pointer` is relative
 * to the patch document.
 */
export interface PatchFault {
  readonly fault: string;
  readonly operation: number;
  readonly pointer: string;
}

/** Why a patch does not apply to a document. `pointer` is relative to the document. */
export interface PatchConflict {
  readonly fault: string;
  readonly operation: number;
  readonly pointer: string;
  readonly reason: UserError['reason'];
}

/**
 * Returns the operations of a patch document, or its fault. Unknown properties of an operation are ignored. Source: RFC
 * 6902 §3, §4.
 */
export function parsePatch(value: JsonValue): { operations: readonly PatchOperation[] } | PatchFault {
  if (!Array.isArray(value))
    return { fault: 'a JSON Patch is an array of operations', operation: -1, pointer: '' };
  const operations: PatchOperation[] = [];
  for (const [operation, member] of value.entries()) {
    const parsed = parseOperation(member);
    if ('fault' in parsed)
      return { fault: parsed.fault, operation, pointer: `/${operation}${parsed.member}` };
    operations.push(parsed);
  }
  return { operations };
}

/**
 * Applies the operations in order. If one of them fails, the result is its conflict and nothing changes. The given
 * document never changes. The result shares unchanged parts with it.
 *
 * Three limits keep the cost linear. A copy fails if the document and all copies have more than 1,000,000 characters of
 * JSON. Moves to deeper places fail beyond 400,000 JSON values. A value fails if it nests deeper than 64. The removal of
 * the whole document results in null.
 *
 * Source: RFC 6902 §4, §5.
 */
export function applyPatch(
  document: JsonValue,
  operations: readonly PatchOperation[],
): { value: JsonValue } | PatchConflict {
  const draft = new Draft(document);
  for (const [index, operation] of operations.entries()) {
    const conflict = apply(draft, operation);
    if (conflict !== undefined) {
      const { fault, at, reason } = conflict;
      return { fault, operation: index, pointer: formatPointer(at), reason };
    }
  }
  return { value: draft.root };
}

/** Applies one operation. Source: RFC 6902 §4. */
function apply(draft: Draft, operation: PatchOperation): UserError | undefined {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
      return draft.deepens(path, operation.value) ?? draft.add(path, operation.value);
    case 'replace':
      return draft.deepens(path, operation.value) ?? draft.replace(path, operation.value);
    case 'remove':
      return draft.remove(path);
    case 'copy':
      return draft.copy(operation.from, path);
    case 'move':
      return draft.move(operation.from, path);
    case 'test': {
      const found = resolve(draft.root, path);
      if (!found.found) return { fault: 'there is nothing at this place', at: path, reason: 'missing' };
      if (jsonEqual(found.value, operation.value)) return undefined;
      return { fault: 'the value is different', at: path, reason: 'test-failed' };
    }
  }
}

/**
 * An operation, or the fault of an element of the patch. `member`: the property with the fault, such as `/path`.
 */
function parseOperation(value: JsonValue): PatchOperation | { fault: string; member: string } {
  if (!isObject(value)) return { fault: 'an operation is an object', member: '' };
  const op = child(value, 'op');
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      const path = parseMember(value, 'path');
      if (!Array.isArray(path)) return path;
      const operand = child(value, 'value');
      return operand === undefined
        ? { fault: `${op} needs a value`, member: '' }
        : { op, path, value: operand };
    }
    case 'remove': {
      const path = parseMember(value, 'path');
      return Array.isArray(path) ? { op, path } : path;
    }
    case 'move':
    case 'copy': {
      const path = parseMember(value, 'path');
      if (!Array.isArray(path)) return path;
      const from = parseMember(value, 'from');
      return Array.isArray(from) ? { op, path, from } : from;
    }
    case undefined:
      return { fault: 'an operation needs an op', member: '' };
    default:
      return { fault: 'op is one of add, remove, replace, move, copy and test', member: '/op' };
  }
}

/** Returns the pointer in a property of an operation. Source: RFC 6902 §4, RFC 6901. */
function parseMember(value: JsonObject, name: string): string[] | { fault: string; member: string } {
  const text = child(value, name);
  if (text === undefined) return { fault: `an operation of this kind needs a ${name}`, member: '' };
  const tokens = typeof text === 'string' ? parsePointer(text) : undefined;
  return tokens === undefined ? { fault: `${name} is a JSON Pointer`, member: `/${name}` } : [...tokens];
}

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
