import { type Operand, parseOperand } from './operand.ts';
import { type Path, parsePath } from './path.ts';
import type { Tokens } from './tokens.ts';

/** The right-hand side of SET. */
export type SetValue =
  | Operand
  | { sum: readonly [SetValue, SetValue]; sign: 1 | -1 }
  | { ifNotExists: readonly [Path, SetValue] }
  | { append: readonly [SetValue, SetValue] };

/** The clauses of an update expression. Paths still hold placeholders. */
export interface Update {
  set: { path: Path; value: SetValue }[];
  remove: Path[];
  /** Value placeholders. */
  add: { path: Path; value: string }[];
  delete: { path: Path; value: string }[];
}

/**
 * Reads an update expression; each of the four clauses at most once, in any order.
 *
 * Source: DynamoDB Developer Guide "Using update expressions in DynamoDB".
 */
export function parseUpdate(tokens: Tokens): Update {
  const update: Update = { set: [], remove: [], add: [], delete: [] };
  const seen = new Set<string>();
  while (tokens.peek().kind !== 'end') {
    const clause = tokens.peek().text.toUpperCase();
    if (!['SET', 'REMOVE', 'ADD', 'DELETE'].includes(clause)) throw tokens.unexpected();
    if (seen.has(clause)) {
      throw tokens.fault(`The "${clause}" section can only be used once in an update expression;`);
    }
    seen.add(clause);
    tokens.next();
    do {
      const path = parsePath(tokens);
      if (clause === 'REMOVE') update.remove.push(path);
      else if (clause === 'SET') {
        tokens.expect('=');
        update.set.push({ path, value: setValue(tokens) });
      } else update[clause === 'ADD' ? 'add' : 'delete'].push({ path, value: placeholder(tokens) });
    } while (tokens.take(','));
  }
  return update;
}

function setValue(tokens: Tokens): SetValue {
  const left = term(tokens);
  if (tokens.take('+')) return { sum: [left, term(tokens)], sign: 1 };
  if (tokens.take('-')) return { sum: [left, term(tokens)], sign: -1 };
  return left;
}

function term(tokens: Tokens): SetValue {
  if (tokens.take('(')) {
    const inner = setValue(tokens);
    tokens.expect(')');
    return inner;
  }
  const { kind, text } = tokens.peek();
  if (kind !== 'word' || tokens.peek(1).text !== '(') return parseOperand(tokens);
  if (text !== 'if_not_exists' && text !== 'list_append') {
    throw tokens.fault(`Invalid function name; function: ${text}`);
  }
  tokens.next();
  tokens.expect('(');
  const path = text === 'if_not_exists' ? parsePath(tokens) : undefined;
  const first = path ? undefined : term(tokens);
  tokens.expect(',');
  const last = term(tokens);
  tokens.expect(')');
  return path ? { ifNotExists: [path, last] } : { append: [first as SetValue, last] };
}

function placeholder(tokens: Tokens): string {
  const { kind, text } = tokens.peek();
  if (kind !== 'placeholder' || !text.startsWith(':')) throw tokens.unexpected();
  return tokens.next().text;
}
