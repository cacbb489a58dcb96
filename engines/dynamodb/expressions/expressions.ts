import { invalid } from '../../fault.ts';
import { canonical, type Value } from '../values/value.ts';
import { Tokens } from './tokens.ts';

/** The members of a request that hold expressions. */
type Member = `${'Condition' | 'Filter' | 'KeyCondition' | 'Projection' | 'Update'}Expression`;

/** The members that hold expressions, and those that define their placeholders. */
export interface ExpressionMembers extends Partial<Record<Member, string>> {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** The expressions of one request. Read them all, then call `finish`. */
export class Expressions {
  readonly #request: ExpressionMembers;
  readonly #names: ReadonlyMap<string, string>;
  readonly #values: ReadonlyMap<string, Value>;
  readonly #used = new Set<string>();

  /**
   * @throws ValidationException for an invalid value
   */
  constructor(request: ExpressionMembers) {
    const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = request;
    for (const given of [names, values]) {
      if (given && Object.keys(given).length === 0) throw invalid('Expression attributes must not be empty');
    }
    this.#request = request;
    this.#names = new Map(Object.entries(names ?? {}));
    this.#values = new Map(Object.entries(values ?? {}).map(([name, value]) => [name, canonical(value)]));
  }

  /** Reads a whole expression; undefined if the request does not have it. @throws ValidationException */
  read<Tree>(member: Member, parse: (tokens: Tokens) => Tree): Tree | undefined {
    const source = this.#request[member];
    if (source === undefined) return undefined;
    const tokens = new Tokens(member, source, this);
    const tree = parse(tokens);
    if (tokens.peek() !== '') throw tokens.unexpected();
    return tree;
  }

  /** Reads the attributes to project. Source: DynamoDB Developer Guide "Using projection expressions in DynamoDB". */
  projection(): string[] | undefined {
    return this.read('ProjectionExpression', (tokens) => {
      const names: string[] = [];
      do names.push(tokens.attribute());
      while (tokens.take(','));
      if (new Set(names).size < names.length) throw tokens.fault('Two document paths overlap');
      return names;
    });
  }

  /** Returns the attribute name of a `#placeholder`. */
  name(placeholder: string): string | undefined {
    this.#used.add(placeholder);
    return this.#names.get(placeholder);
  }

  /** Returns the value of a `:placeholder`. */
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
