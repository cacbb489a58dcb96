import { parse } from '@babel/parser';

/** A node of the syntax tree, as far as this module reads it. Offsets are in UTF-16 units. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: Node;
}

const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'ClassMethod',
  'ClassPrivateMethod',
  'FunctionDeclaration',
  'FunctionExpression',
  'ObjectMethod',
]);

/**
 * The code of a TypeScript module in which each function first calls `globalThis.enterFunction(path, line)`. Lines keep
 * their numbers.
 */
export function instrument(code: string, path: string): string {
  const inserted: { readonly at: number; readonly text: string }[] = [];
  for (const { body } of functionsIn(parse(code, { sourceType: 'module', plugins: ['typescript'] }))) {
    if (!body) continue;
    const line = code.slice(0, body.start).split('\n').length;
    const call = `globalThis.enterFunction(${JSON.stringify(path)},${line})`;
    if (body.type === 'BlockStatement') inserted.push({ at: body.start + 1, text: `${call};` });
    else inserted.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ')' });
  }
  let result = code;
  // Of two insertions at one place, the outer function comes first in the list, and must be the outer parenthesis.
  const ordered = inserted
    .map((one, order) => ({ ...one, order }))
    .sort((a, b) => b.at - a.at || b.order - a.order);
  for (const { at, text } of ordered) result = result.slice(0, at) + text + result.slice(at);
  return result;
}

function* functionsIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Partial<Node>;
  if (node.type !== undefined && FUNCTIONS.has(node.type)) yield node as Node;
  for (const inner of Object.values(value)) yield* functionsIn(inner);
}
