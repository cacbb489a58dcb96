import type { Fault } from '../fault.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import type { Tokens } from './tokens.ts';
import { attribute, type Item, type Value } from './value.ts';

/** A document path: attribute names (or `#placeholders`, until resolved) and list indexes. */
export type Path = readonly (string | number)[];

/** Reads `a.b[1].#c`. Bare reserved words are refused. */
export function parsePath(tokens: Tokens): Path {
  const path: (string | number)[] = [name(tokens)];
  for (;;) {
    if (tokens.take('.')) path.push(name(tokens));
    else if (tokens.peek().text === '[') {
      tokens.next();
      const token = tokens.peek();
      if (token.kind !== 'index') throw tokens.unexpected();
      path.push(Number(tokens.next().text));
      tokens.expect(']');
    } else return path;
  }
}

function name(tokens: Tokens): string {
  const { kind, text } = tokens.peek();
  if (kind !== 'word' && !(kind === 'placeholder' && text.startsWith('#'))) throw tokens.unexpected();
  if (kind === 'word' && RESERVED_WORDS.has(text.toUpperCase())) {
    throw tokens.fault(`Attribute name is a reserved keyword; reserved keyword: ${text}`);
  }
  tokens.next();
  return text;
}

/** The value at a resolved path, if there is one. */
export function valueAt(item: Item, path: Path): Value | undefined {
  let value: Value | undefined = { M: item };
  for (const step of path) {
    if (value === undefined) return undefined;
    if (typeof step === 'number') value = value.L?.[step];
    else value = value.M && attribute(value.M, step);
  }
  return value;
}

/** Refuses two resolved paths where one leads through the other, or where they disagree on map or list. */
export function refuseOverlap(paths: readonly Path[], fault: (detail: string) => Fault): void {
  for (const [at, one] of paths.entries()) {
    for (const two of paths.slice(0, at)) {
      let same = 0;
      while (same < one.length && same < two.length && one[same] === two[same]) same++;
      const ends = `path one: ${spell(two)}, path two: ${spell(one)}`;
      if (same === one.length || same === two.length) {
        throw fault(
          `Two document paths overlap with each other; must remove or rewrite one of these paths; ${ends}`,
        );
      }
      if (typeof one[same] !== typeof two[same]) {
        throw fault(
          `Two document paths conflict with each other; must remove or rewrite one of these paths; ${ends}`,
        );
      }
    }
  }
}

function spell(path: Path): string {
  return `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`;
}
