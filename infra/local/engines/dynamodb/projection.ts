import { type Path, parsePath } from './path.ts';
import type { Tokens } from './tokens.ts';
import { attribute, type Item, setAttribute, type Value } from './value.ts';

/** Reads a projection expression: document paths with commas between them. */
export function parseProjection(tokens: Tokens): Path[] {
  const paths = [parsePath(tokens)];
  while (tokens.take(',')) paths.push(parsePath(tokens));
  tokens.expectEnd();
  return paths;
}

/**
 * The parts of an item that the resolved paths name. Missing ones are left out; list elements close up, in
 * the order of the original list.
 *
 * Source: DynamoDB Developer Guide "Using projection expressions in DynamoDB".
 */
export function project(item: Item, paths: readonly Path[]): Item {
  return select({ M: item }, paths)?.M ?? (Object.create(null) as Item);
}

function select(value: Value, paths: readonly Path[]): Value | undefined {
  if (paths.some((path) => path.length === 0)) return value;
  const steps = [...new Set(paths.map(([step]) => step as string | number))];
  const below = (step: string | number): Path[] =>
    paths.filter(([first]) => first === step).map((path) => path.slice(1));
  if (value.M) {
    const found: Item = Object.create(null) as Item;
    for (const step of steps) {
      const child = typeof step === 'string' ? attribute(value.M, step) : undefined;
      const part = child && select(child, below(step));
      if (part) setAttribute(found, String(step), part);
    }
    return Object.keys(found).length > 0 ? { M: found } : undefined;
  }
  if (value.L) {
    const indexes = steps.filter((step) => typeof step === 'number').sort((a, b) => a - b);
    const found = indexes.flatMap((index) => {
      const child = value.L?.[index];
      const part = child && select(child, below(index));
      return part ? [part] : [];
    });
    return found.length > 0 ? { L: found } : undefined;
  }
  return undefined;
}
