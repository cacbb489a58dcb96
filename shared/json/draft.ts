import { Decimal } from './decimal.ts';
import { arrayIndex, resolve } from './pointer.ts';
import type { JsonObject, JsonValue } from './value.ts';
import { emptyObject, isObject, MAXIMUM_DEPTH } from './value.ts';

/** Why an operation of a patch failed: the reason and the place. */
export interface UserError {
  readonly fault: string;
  readonly at: readonly string[];
  readonly reason: 'missing' | 'test-failed' | 'too-large' | 'cannot';
}

/** Maximum number of characters of JSON, without escapes, that a document may have after copies. */
const MAXIMUM_SIZE = 1_000_000;

/**
 * Maximum number of JSON values that all moves together may measure: a thousand moves of 40,000 values took 3 s.
 */
const MOVED = 400_000;

/**
 * A copy of a document that changes step by step. The given document never changes. The draft copies a container
 * before its first change and then owns it, so that a hundred changes of one array copy it once. Every change
 * returns undefined, or the reason that prevents it.
 *
 * Source: RFC 6902 §4.
 */
export class Draft {
  #root: JsonValue;
  readonly #own = new Set<JsonValue>();
  /** The size of the document in characters, counted at the first copy. A removal does not reduce it. */
  #size: number | undefined;
  /** The number of JSON values that moves have measured. */
  #moved = 0;

  constructor(document: JsonValue) {
    this.#root = document;
  }

  get root(): JsonValue {
    return this.#root;
  }

  /** Adds a property, inserts an element, or replaces the root or an existing property. Source: RFC 6902 §4.1. */
  add(path: readonly string[], value: JsonValue): UserError | undefined {
    if (path.length === 0) {
      this.#root = value;
      return undefined;
    }
    const parent = this.#open(path);
    if (parent === undefined) return missing(path);
    const token = path.at(-1) as string;
    if (!Array.isArray(parent)) {
      parent[token] = value;
      return undefined;
    }
    const index = token === '-' ? parent.length : arrayIndex(token);
    if (index === undefined || index > parent.length) {
      return {
        fault: `an array of ${parent.length} elements has no index ${token}`,
        at: path,
        reason: 'cannot',
      };
    }
    if (index === parent.length) parent.push(value);
    else parent.splice(index, 0, value);
    return undefined;
  }

  /** Removes an existing value. After the removal of the root, the document is null. Source: RFC 6902 §4.2. */
  remove(path: readonly string[]): UserError | undefined {
    if (!resolve(this.#root, path).found) return missing(path);
    if (path.length === 0) {
      this.#root = null;
      return undefined;
    }
    const parent = this.#open(path) as JsonValue[] | JsonObject;
    const token = path.at(-1) as string;
    if (Array.isArray(parent)) parent.splice(Number(token), 1);
    else delete parent[token];
    return undefined;
  }

  /** Replaces an existing value, in its place. Source: RFC 6902 §4.3. */
  replace(path: readonly string[], value: JsonValue): UserError | undefined {
    if (!resolve(this.#root, path).found) return missing(path);
    if (path.length === 0) {
      this.#root = value;
      return undefined;
    }
    const parent = this.#open(path) as JsonObject;
    parent[path.at(-1) as string] = value;
    return undefined;
  }

  /** Adds a deep copy of an existing value, unless the document would grow too large. Source: RFC 6902 §4.5. */
  copy(from: readonly string[], path: readonly string[]): UserError | undefined {
    const source = resolve(this.#root, from);
    if (!source.found) return missing(from);
    this.#size ??= measure(this.#root).size;
    const { size, depth } = measure(source.value);
    if (this.#size + size > MAXIMUM_SIZE) {
      return { fault: 'the copy makes the document too large', at: path, reason: 'too-large' };
    }
    if (path.length + depth > MAXIMUM_DEPTH) return tooDeep(path);
    this.#size += size;
    return this.add(path, clone(source.value));
  }

  /** Moves a value to another place. A move to its own place changes nothing. Source: RFC 6902 §4.4. */
  move(from: readonly string[], path: readonly string[]): UserError | undefined {
    const source = resolve(this.#root, from);
    if (!source.found) return missing(from);
    if (from.every((token, i) => token === path[i])) {
      if (from.length === path.length) return undefined;
      return { fault: 'a value cannot be moved into itself', at: path, reason: 'cannot' };
    }
    // Only a move to a deeper place can make the document deeper, so only such a move is measured.
    if (path.length > from.length) {
      const { values, depth } = measure(source.value);
      this.#moved += values;
      if (this.#moved > MOVED) {
        return { fault: 'too many large values are moved', at: path, reason: 'cannot' };
      }
      if (path.length + depth > MAXIMUM_DEPTH) return tooDeep(path);
    }
    return this.remove(from) ?? this.add(path, source.value);
  }

  /** The conflict if the value at this place would nest too deep. */
  deepens(path: readonly string[], value: JsonValue): UserError | undefined {
    return path.length + measure(value).depth > MAXIMUM_DEPTH ? tooDeep(path) : undefined;
  }

  /**
   * The container of a path's last token. The draft owns it and all containers above it afterwards. Undefined if it
   * does not exist.
   */
  #open(path: readonly string[]): JsonValue[] | JsonObject | undefined {
    const above = resolve(this.#root, path.slice(0, -1));
    if (!above.found || !(Array.isArray(above.value) || isObject(above.value))) return undefined;
    let container = this.#owned(this.#root as JsonValue[] | JsonObject);
    this.#root = container;
    for (let i = 0; i < path.length - 1; i++) {
      const token = path[i] as string;
      // The token of an array is a valid index here, and an assignment by index and by name is the same.
      const object = container as JsonObject;
      container = this.#owned(object[token] as JsonValue[] | JsonObject);
      object[token] = container;
    }
    return container;
  }

  #owned(container: JsonValue[] | JsonObject): JsonValue[] | JsonObject {
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? container.slice() : Object.assign(emptyObject(), container);
    this.#own.add(copy);
    return copy;
  }
}

function tooDeep(at: readonly string[]): UserError {
  return { fault: `nested deeper than ${MAXIMUM_DEPTH}`, at, reason: 'cannot' };
}

function missing(at: readonly string[]): UserError {
  return { fault: 'there is nothing at this place', at, reason: 'missing' };
}

/** Characters of JSON that surround a value: a comma, and quotes, brackets or braces. */
const AROUND = 3;
/** Characters of JSON that surround a name: quotes and a colon. */
const AROUND_NAME = 3;

/**
 * Measures a value of any depth: the number of JSON values in it (with itself), their size in characters of JSON
 * without escapes, and the depth of arrays and objects.
 */
function measure(value: JsonValue): { values: number; size: number; depth: number } {
  let values = 0;
  let size = 0;
  let depth = 0;
  let level: JsonValue[] = [value];
  while (level.length > 0) {
    const next: JsonValue[] = [];
    let containers = false;
    for (const member of level) {
      values++;
      size += AROUND;
      if (typeof member === 'string') size += member.length;
      if (typeof member === 'number') size += String(member).length;
      if (member instanceof Decimal) size += member.text.length;
      if (typeof member !== 'object' || member === null || member instanceof Decimal) continue;
      containers = true;
      if (Array.isArray(member)) for (const element of member) next.push(element);
      else
        for (const [name, inner] of Object.entries(member)) {
          size += name.length + AROUND_NAME;
          next.push(inner);
        }
    }
    if (containers) depth++;
    level = next;
  }
  return { values, size, depth };
}

/** Returns a deep copy of a value with a small depth. */
function clone(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(clone);
  if (!isObject(value)) return value;
  const copy = emptyObject();
  for (const [name, inner] of Object.entries(value)) copy[name] = clone(inner);
  return copy;
}
