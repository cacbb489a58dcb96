import type { Description } from '../shared/resource/description/description.ts';
import type { Effect } from '../shared/resource/facts.ts';
import type { Resource } from '../shared/resource/resource.ts';

/** Carries the types of a resource for other definitions and for clients. No object has it. */
declare const TYPE: unique symbol;

/**
 * A resource with items, as an author defines it. `F`: its fields. `A`: its actions. `One`: the word for one item. `K`: what
 * is closed.
 */
export interface Definition<
  out Name extends string = string,
  out F = unknown,
  out A = unknown,
  out One extends string = string,
  out K extends Effect = Effect,
> extends Resource {
  readonly [TYPE]?: {
    readonly fields: F;
    readonly actions: A;
    readonly singular: One;
    readonly closed: K;
  };
  readonly name: Name;
  readonly description: Description;
}

/** The fields of a resource. */
export type FieldsOf<D> = D extends Definition<string, infer F> ? F : never;

/** The singular of a regular plural: `category` for `categories`, `box` for `boxes`. */
export type Singular<Name extends string> = Name extends `${infer Stem}ies`
  ? `${Stem}y`
  : Name extends `${infer Stem}${'ss' | 'sh' | 'ch' | 'x' | 'z'}es`
    ? Name extends `${Stem}${infer Sound}es`
      ? `${Stem}${Sound}`
      : never
    : Name extends `${infer Stem}s`
      ? Stem
      : Name;

/** Returns the singular of a regular English plural; undefined for every other word. */
export function regularSingular(plural: string): string | undefined {
  if (/[^aeiou]ies$/.test(plural)) return plural.replace(/ies$/, 'y');
  if (/(?:ss|sh|ch|x|z)es$/.test(plural)) return plural.replace(/es$/, '');
  if (/[^sui]s$/.test(plural)) return plural.replace(/s$/, '');
  return undefined;
}

/** Returns the same singular. @throws Error if the plural is not regular */
export function singularOf(plural: string): string {
  const singular = regularSingular(plural);
  if (singular !== undefined) return singular;
  throw new Error(`The singular of '${plural}' is not clear. State it: singular: 'word'.`);
}
