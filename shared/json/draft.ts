import { Decimal } from './decimal.ts';
import { arrayIndex, resolve } from './pointer.ts';
import type { JsonObject, JsonValue } from './value.ts';
import { emptyObject, isObject } from './value.ts';

/** What stands in an operation's way: where, and of which kind. */
export interface Obstacle {
  readonly fault: string;
  readonly at: readonly string[];
  readonly reason: 'missing' | 'test-failed' | 'too-large' | 'cannot';
}

/** JSON values that moves may measure in all: a thousand moves of 40,000 values took 3 s. */
const MOVED = 400_000;

/**
 * A document being changed step by step, the given one never: a container is copied before its first change and belongs
 * to the draft from then on, so that a hundred changes of one array copy it once. Every change answers undefined,
 * or the obstacle in its way. Source: RFC 6902 §4.
 */
export class Draft {
  #root: JsonValue;
  readonly #own = new Set<JsonValue>();
  readonly #maximumSize: number;
  readonly #maximumDepth: number;
  /** The size of the document in characters, counted at the first copy. A removal does not make it smaller. */
  #size: number | undefined;
  /** JSON values that moves have measured. */
  #moved = 0;

  /** `maximumSize`: characters of the document's JSON that copies may make of it, escapes not counted. */
  constructor(document: JsonValue, maximumSize: number, maximumDepth: number) {
    this.#root = document;
    this.#maximumSize = maximumSize;
    this.#maximumDepth = maximumDepth;
  }

  get root(): JsonValue {
    return this.#root;
  }

  /** Adds a member, inserts an element, or replaces the root or an existing member. Source: RFC 6902 §4.1. */
  add(path: readonly string[], value: JsonValue): Obstacle | undefined {
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
      return { fault: `an array of ${parent.length} has no place ${token}`, at: path, reason: 'cannot' };
    }
    if (index === parent.length) parent.push(value);
    else parent.splice(index, 0, value);
    return undefined;
  }

  /** Removes an existing value. The root leaves null behind. Source: RFC 6902 §4.2. */
  remove(path: readonly string[]): Obstacle | undefined {
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
  replace(path: readonly string[], value: JsonValue): Obstacle | undefined {
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
  copy(from: readonly string[], path: readonly string[]): Obstacle | undefined {
    const source = resolve(this.#root, from);
    if (!source.found) return missing(from);
    this.#size ??= measure(this.#root).size;
    const { size, depth } = measure(source.value);
    if (this.#size + size > this.#maximumSize) {
      return { fault: 'the copy makes the document too large', at: path, reason: 'too-large' };
    }
    if (path.length + depth > this.#maximumDepth) return this.#tooDeep(path);
    this.#size += size;
    return this.add(path, clone(source.value));
  }

  /** Takes a value away and adds it elsewhere; where it is already, nothing changes. Source: RFC 6902 §4.4. */
  move(from: readonly string[], path: readonly string[]): Obstacle | undefined {
    const source = resolve(this.#root, from);
    if (!source.found) return missing(from);
    if (from.every((token, i) => token === path[i])) {
      if (from.length === path.length) return undefined;
      return { fault: 'a value cannot be moved into itself', at: path, reason: 'cannot' };
    }
    // Only a move to a deeper place can deepen the document; the rest need not be measured.
    if (path.length > from.length) {
      const { values, depth } = measure(source.value);
      this.#moved += values;
      if (this.#moved > MOVED) {
        return { fault: 'too many large values are moved', at: path, reason: 'cannot' };
      }
      if (path.length + depth > this.#maximumDepth) return this.#tooDeep(path);
    }
    return this.remove(from) ?? this.add(path, source.value);
  }

  /** The obstacle that a value of this depth would be at this place, if it would nest too deep. */
  deepens(path: readonly string[], value: JsonValue): Obstacle | undefined {
    return path.length + measure(value).depth > this.#maximumDepth ? this.#tooDeep(path) : undefined;
  }

  #tooDeep(path: readonly string[]): Obstacle {
    return { fault: `nested deeper than ${this.#maximumDepth}`, at: path, reason: 'cannot' };
  }

  /** The container a path's last token refers into, made the draft's own with all above it; undefined: there is none. */
  #open(path: readonly string[]): JsonValue[] | JsonObject | undefined {
    const above = resolve(this.#root, path.slice(0, -1));
    if (!above.found || !(Array.isArray(above.value) || isObject(above.value))) return undefined;
    let container = this.#owned(this.#root as JsonValue[] | JsonObject);
    this.#root = container;
    for (let i = 0; i < path.length - 1; i++) {
      const token = path[i] as string;
      // An array's token is a valid index here, and assigning by it is the same as by a name.
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

function missing(at: readonly string[]): Obstacle {
  return { fault: 'there is nothing at this place', at, reason: 'missing' };
}

/** Characters of JSON around a value: a comma, and quotes, brackets or braces. */
const AROUND = 3;
/** Characters of JSON around a name: quotes and a colon. */
const AROUND_NAME = 3;

/**
 * How many JSON values there are in a value, itself included, their size in characters of JSON with escapes not counted,
 * and how deep arrays and objects nest. Any depth.
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
        for (const name of Object.keys(member)) {
          size += name.length + AROUND_NAME;
          next.push(member[name] as JsonValue);
        }
    }
    if (containers) depth++;
    level = next;
  }
  return { values, size, depth };
}

/** A deep copy of a value whose depth is known to be small. */
function clone(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(clone);
  if (!isObject(value)) return value;
  const copy = emptyObject();
  for (const name of Object.keys(value)) copy[name] = clone(value[name] as JsonValue);
  return copy;
}
