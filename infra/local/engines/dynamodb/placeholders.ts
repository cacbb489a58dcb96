import { invalid } from './faults.ts';
import { canonical, type Value } from './value.ts';

/** The two members of a request that give placeholders their meaning. */
export interface PlaceholderMembers {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** The names and values that the expressions of one request share. Read them all, then call `finish`. */
export class Placeholders {
  readonly #names: ReadonlyMap<string, string>;
  readonly #values: ReadonlyMap<string, Value>;
  readonly #used = new Set<string>();

  /** @throws ValidationException for a value that is none */
  constructor({ ExpressionAttributeNames: names, ExpressionAttributeValues: values }: PlaceholderMembers) {
    for (const given of [names, values]) {
      if (given && Object.keys(given).length === 0) throw invalid('Expression attributes must not be empty');
    }
    this.#names = new Map(Object.entries(names ?? {}));
    this.#values = new Map(Object.entries(values ?? {}).map(([name, value]) => [name, canonical(value)]));
  }

  /** What `#placeholder` stands for. */
  name(placeholder: string): string | undefined {
    this.#used.add(placeholder);
    return this.#names.get(placeholder);
  }

  /** What `:placeholder` stands for. */
  value(placeholder: string): Value | undefined {
    this.#used.add(placeholder);
    return this.#values.get(placeholder);
  }

  /** Refuses placeholders that no expression used. */
  finish(): void {
    const unused = [...this.#names.keys(), ...this.#values.keys()].filter((name) => !this.#used.has(name));
    if (unused.length > 0) throw invalid(`Value unused in expressions: keys: {${unused.join(', ')}}`);
  }
}
