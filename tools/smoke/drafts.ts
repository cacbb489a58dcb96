import { randomBytes } from 'node:crypto';
import { isJson, type Json, members, type Resolve, resolver, texts } from '../../openapi/evolution/json.ts';

/** The POST that creates an item: its path and its JSON. */
export interface Draft {
  readonly path: string;
  readonly json: Json;
}

/** Lists that every service has. Its author does not describe their items. */
const OWN: ReadonlySet<string> = new Set(['/files', '/subscriptions']);

/** Creates an item of a collection, and returns its path. */
type Create = (collection: string) => Promise<string>;

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Drafts of items, made from the description of a service alone: `/openapi.json`. */
export class Drafts {
  readonly #paths: Json;
  readonly #resolve: Resolve;

  constructor(document: Json) {
    this.#paths = isJson(document.paths) ? document.paths : {};
    this.#resolve = resolver(document);
  }

  /** The paths of the collections whose items a client can create and remove, those that need no other item first. */
  get collections(): readonly string[] {
    const found = texts(this.#paths).filter((path) => {
      if (path.includes('{') || OWN.has(path) || !this.#addition(path)) return false;
      return texts(this.#paths).some(
        (one) => one.startsWith(`${path}/{`) && one.endsWith('}') && 'delete' in this.#at(one),
      );
    });
    return [
      ...found.filter((path) => this.#needed(path) === 0),
      ...found.filter((path) => this.#needed(path) > 0),
    ];
  }

  /**
   * Returns the draft of an item with this name. `create` creates the items that it needs: its parent, and those that
   * required properties name. `isFull`: also with the optional properties that have an example. @throws Error if the
   * description has no POST for the collection
   */
  async of(collection: string, name: string, create: Create, isFull = false): Promise<Draft> {
    const addition = this.#addition(collection);
    if (!addition) throw new Error(`The description has no POST that creates an item of ${collection}`);
    const { at, schema } = addition;
    const path = at === collection ? at : `${await create(at.slice(0, at.indexOf('/{')))}${collection}`;
    const json: Record<string, unknown> = isFull ? { ...this.#examplesOf(schema) } : {};
    for (const [property, of] of this.#sent(schema)) {
      const to = isJson(of) ? of['x-refers-to'] : undefined;
      json[property] = typeof to === 'string' ? lastSegment(await create(to)) : this.#value(of, name);
    }
    return { path, json };
  }

  /** Returns a change of an item: another text or number in one property. It is empty if no property has any. */
  changeOf(collection: string, name: string): Json {
    for (const [property, of] of members(this.#addition(collection)?.schema.properties)) {
      const one = this.#branch(of) ?? {};
      const [example = one.minimum ?? 0] = Array.isArray(one.examples) ? one.examples : [];
      if (one.readOnly || 'x-refers-to' in one) continue;
      if (this.#isText(one)) return { [property]: this.#value(of, name) };
      if (/integer|number/.test(String(one.type))) return { [property]: Number(example) + 1 };
    }
    return {};
  }

  /** Returns the paths of the actions of an item that need no body: `/orders/{id}/pay`. */
  actionsOf(collection: string): readonly string[] {
    return texts(this.#paths).filter((path) => {
      const { post } = this.#at(path);
      return isJson(post) && !this.#resolve(post.requestBody)?.required && isActionOf(collection, path);
    });
  }

  #at(path: string): Json {
    const item = this.#paths[path];
    return isJson(item) ? item : {};
  }

  /** Returns the path of the POST and the schema of its item. The path is below a parent if the list takes none. */
  #addition(collection: string): { readonly at: string; readonly schema: Json } | undefined {
    const below = texts(this.#paths).filter((path) => path.split('}').at(-1) === collection);
    for (const at of new Set([collection, ...below])) {
      const { post } = this.#at(at);
      const body = isJson(post) ? this.#resolve(post.requestBody) : undefined;
      const content = isJson(body?.content) ? body.content['application/json'] : undefined;
      const schema = this.#branch(isJson(content) ? content.schema : undefined);
      if (isJson(schema?.properties)) return { at, schema };
    }
    return undefined;
  }

  /** Returns the number of other items that an item needs. */
  #needed(collection: string): number {
    const addition = this.#addition(collection);
    if (!addition) return 0;
    const named = this.#sent(addition.schema).filter(([, of]) => isJson(of) && 'x-refers-to' in of);
    return named.length + (addition.at === collection ? 0 : 1);
  }

  /** Returns the properties of a draft: the required ones; without any, the first text, which names the item, or value. */
  #sent({ properties, required }: Json): readonly [string, unknown][] {
    const all = members(properties);
    const needed = all.filter(([name]) => Array.isArray(required) && required.includes(name));
    if (needed.length > 0) return needed;
    const settable = all.filter(([, of]) => !this.#branch(of)?.readOnly);
    const named = settable.find(([, of]) => this.#isText(this.#branch(of) ?? {})) ?? settable[0];
    return named ? [named] : [];
  }

  /** Returns the examples of properties that name no other item. */
  #examplesOf({ properties }: Json): Json {
    const shown = members(properties).flatMap(([name, of]) => {
      const { examples, readOnly, 'x-refers-to': to } = this.#branch(of) ?? {};
      return Array.isArray(examples) && !readOnly && to === undefined ? [[name, examples[0]]] : [];
    });
    return Object.fromEntries(shown);
  }

  /** Returns the schema itself, or the first of its choices. */
  #branch(schema: unknown): Json | undefined {
    const one = this.#resolve(schema);
    const choices = one?.oneOf ?? one?.anyOf;
    return Array.isArray(choices) ? { ...this.#branch(choices[0]), ...withoutChoices(one ?? {}) } : one;
  }

  #isText = ({ type, format, enum: choices, readOnly }: Json): boolean =>
    [type].flat().includes('string') && !format && !choices && !readOnly;

  /** Returns a value for a property: a text with the name where it fits, else the example, else the least value. */
  #value(schema: unknown, name: string): unknown {
    const one = this.#branch(schema) ?? {};
    const { examples, enum: choices, minimum, exclusiveMinimum, minItems } = one;
    if (this.#isText(one)) {
      const fitting = textsOf(one, name).find((text) => fits(text, one));
      if (fitting !== undefined) return fitting;
    }
    if (Array.isArray(choices)) return choices[0];
    if (Array.isArray(examples)) return examples[0];
    switch ([one.type].flat()[0]) {
      case 'boolean':
        return false;
      case 'integer':
      case 'number':
        return Number(minimum ?? Number(exclusiveMinimum ?? 0) + 1);
      case 'array':
        return Array.from({ length: Number(minItems ?? 0) }, () => this.#value(one.items, name));
      case 'object':
        return Object.fromEntries(this.#sent(one).map(([inner, of]) => [inner, this.#value(of, name)]));
      default:
        return TIMES[String(one.format)] ?? name;
    }
  }
}

/** True for a path with one segment after that of the item, which lists no items of a collection of its own. */
const isActionOf = (collection: string, path: string): boolean => {
  const [first, last, ...more] = path.slice(collection.length + 1).split('/');
  return path.startsWith(`${collection}/{`) && first !== undefined && last !== undefined && more.length === 0;
};

const withoutChoices = ({ oneOf: _one, anyOf: _any, ...rest }: Json): Json => rest;

/** Returns texts to try: the name, an address of mail or of the web with it, and a short one. */
function textsOf({ minLength, maxLength }: Json, name: string): readonly string[] {
  const text = name.padEnd(Number(minLength ?? 0), '-');
  const short = randomBytes(16)
    .toString('hex')
    .slice(0, Number(maxLength ?? 16));
  return [text, `${text}@example.com`, `https://example.com/${text}`, short];
}

const fits = (text: string, { maxLength, pattern }: Json): boolean =>
  text.length <= Number(maxLength ?? text.length) && new RegExp(String(pattern ?? ''), 'u').test(text);

/** Source: RFC 3339 §5.6. */
const TIMES: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00.000Z',
};
