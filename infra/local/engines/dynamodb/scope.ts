import { type Condition, parseCondition } from './condition.ts';
import { invalid } from './faults.ts';
import { type Path, refuseOverlap } from './path.ts';
import { parseProjection } from './projection.ts';
import { Tokens } from './tokens.ts';
import { parseUpdate, type Update } from './update.ts';
import { canonical, type Value } from './value.ts';

/** The two members that give placeholders their meaning. */
export interface Placeholders {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

interface Parsed<Tree> {
  tree: Tree;
  placeholders: ReadonlySet<string>;
}

// A service sends the same few expression texts again and again; parsing them is the dearest part of a put.
const CACHE_SIZE = 1000;
const cache = new Map<string, Parsed<unknown>>();

function parsed<Tree>(label: string, text: string, parse: (tokens: Tokens) => Tree): Parsed<Tree> {
  const key = `${label} ${text}`;
  const known = cache.get(key);
  if (known) return known as Parsed<Tree>;
  if (Buffer.byteLength(text) > 4096) {
    throw invalid(`Invalid ${label}: Expression size has exceeded the maximum allowed size;`);
  }
  const tokens = new Tokens(label, text);
  const fresh = { tree: parse(tokens), placeholders: tokens.placeholders };
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(key, fresh);
  return fresh;
}

/** The expressions of one request with the names and values they share. Read all, then call `finish`. */
export class Scope {
  readonly #names: ReadonlyMap<string, string>;
  readonly #values: ReadonlyMap<string, Value>;
  readonly #used = new Set<string>();

  /** @throws ValidationException for a value that is none */
  constructor({ ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Placeholders) {
    if (names && Object.keys(names).length === 0) throw invalid('ExpressionAttributeNames must not be empty');
    if (values && Object.keys(values).length === 0)
      throw invalid('ExpressionAttributeValues must not be empty');
    this.#names = new Map(Object.entries(names ?? {}));
    this.#values = new Map(Object.entries(values ?? {}).map(([name, value]) => [name, canonical(value)]));
  }

  condition(label: string, text: string | undefined): Condition | undefined {
    return text === undefined ? undefined : this.#read(label, text, parseCondition);
  }

  update(text: string | undefined): Update | undefined {
    if (text === undefined) return undefined;
    const update = this.#read('UpdateExpression', text, parseUpdate);
    this.#refuseOverlap('UpdateExpression', [
      ...update.remove,
      ...[...update.set, ...update.add, ...update.delete].map(({ path }) => path),
    ]);
    return update;
  }

  /** Resolved paths. */
  projection(text: string | undefined): Path[] | undefined {
    if (text === undefined) return undefined;
    const paths = this.#read('ProjectionExpression', text, parseProjection);
    this.#refuseOverlap('ProjectionExpression', paths);
    return paths.map((path) => this.path(path));
  }

  /** Replaces `#placeholders` in a path. */
  path(path: Path): Path {
    for (const step of path) {
      if (typeof step === 'string' && step.startsWith('#')) return path.map((part) => this.#name(part));
    }
    return path;
  }

  /** What a `:placeholder` stands for. */
  value(placeholder: string): Value {
    return this.#values.get(placeholder) as Value;
  }

  /** Refuses placeholders that no expression used. */
  finish(): void {
    for (const [member, known] of [
      ['ExpressionAttributeNames', this.#names],
      ['ExpressionAttributeValues', this.#values],
    ] as const) {
      const unused = [...known.keys()].filter((key) => !this.#used.has(key));
      if (unused.length === 0) continue;
      throw invalid(
        this.#used.size === 0 && unused.length === known.size && !this.#anyExpression
          ? `${member} can only be specified when using expressions`
          : `Value provided in ${member} unused in expressions: keys: {${unused.join(', ')}}`,
      );
    }
  }

  #anyExpression = false;

  #read<Tree>(label: string, text: string, parse: (tokens: Tokens) => Tree): Tree {
    this.#anyExpression = true;
    const { tree, placeholders } = parsed(label, text, parse);
    for (const placeholder of placeholders) {
      this.#used.add(placeholder);
      if (placeholder.startsWith('#') && !this.#names.has(placeholder)) {
        throw invalid(
          `Invalid ${label}: An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
        );
      }
      if (placeholder.startsWith(':') && !this.#values.has(placeholder)) {
        throw invalid(
          `Invalid ${label}: An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
        );
      }
    }
    return tree;
  }

  #refuseOverlap(label: string, paths: Path[]): void {
    if (paths.length < 2) return;
    refuseOverlap(
      paths.map((path) => this.path(path)),
      (detail) => invalid(`Invalid ${label}: ${detail}`),
    );
  }

  #name(step: string | number): string | number {
    return typeof step === 'string' && step.startsWith('#') ? (this.#names.get(step) as string) : step;
  }
}
