import { type Operand, parseOperand } from './operand.ts';
import { type Path, parsePath } from './path.ts';
import type { Tokens } from './tokens.ts';

/** `=`, `<>`, `<`, `<=`, `>` or `>=`. */
export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** The tree of a condition, filter or key condition. */
export type Condition =
  | { is: 'and' | 'or'; left: Condition; right: Condition }
  | { is: 'not'; condition: Condition }
  | { is: 'compare'; comparator: Comparator; left: Operand; right: Operand }
  | { is: 'between'; operand: Operand; low: Operand; high: Operand }
  | { is: 'in'; operand: Operand; candidates: Operand[] }
  | { is: 'exists'; path: Path; exists: boolean }
  | { is: 'begins_with' | 'contains' | 'attribute_type'; subject: Operand; operand: Operand };

const COMPARATORS = new Set<string>(['=', '<>', '<', '<=', '>', '>=']);

/**
 * Reads a whole condition. NOT binds before AND, AND before OR.
 *
 * Source: DynamoDB Developer Guide "Condition and filter expressions, operators, and functions".
 */
export function parseCondition(tokens: Tokens): Condition {
  const condition = or(tokens);
  tokens.expectEnd();
  return condition;
}

function or(tokens: Tokens): Condition {
  let left = and(tokens);
  while (tokens.take('OR')) left = { is: 'or', left, right: and(tokens) };
  return left;
}

function and(tokens: Tokens): Condition {
  let left = not(tokens);
  while (tokens.take('AND')) left = { is: 'and', left, right: not(tokens) };
  return left;
}

function not(tokens: Tokens): Condition {
  if (tokens.take('NOT')) return { is: 'not', condition: not(tokens) };
  if (tokens.take('(')) {
    const inner = or(tokens);
    tokens.expect(')');
    return inner;
  }
  const { kind, text } = tokens.peek();
  if (kind === 'word' && tokens.peek(1).text === '(' && text !== 'size') return predicate(tokens, text);
  return comparison(tokens);
}

function predicate(tokens: Tokens, name: string): Condition {
  tokens.next();
  tokens.expect('(');
  let condition: Condition;
  switch (name) {
    case 'attribute_exists':
    case 'attribute_not_exists':
      condition = { is: 'exists', path: parsePath(tokens), exists: name === 'attribute_exists' };
      break;
    case 'begins_with':
    case 'contains':
    case 'attribute_type': {
      const subject = parseOperand(tokens);
      tokens.expect(',');
      condition = { is: name, subject, operand: parseOperand(tokens) };
      break;
    }
    default:
      throw tokens.fault(`Invalid function name; function: ${name}`);
  }
  tokens.expect(')');
  return condition;
}

function comparison(tokens: Tokens): Condition {
  const operand = parseOperand(tokens);
  if (tokens.take('BETWEEN')) {
    const low = parseOperand(tokens);
    tokens.expect('AND');
    return { is: 'between', operand, low, high: parseOperand(tokens) };
  }
  if (tokens.take('IN')) {
    tokens.expect('(');
    const candidates = [parseOperand(tokens)];
    while (tokens.take(',')) candidates.push(parseOperand(tokens));
    tokens.expect(')');
    return { is: 'in', operand, candidates };
  }
  const { text } = tokens.peek();
  if (!COMPARATORS.has(text)) throw tokens.unexpected();
  tokens.next();
  return { is: 'compare', comparator: text as Comparator, left: operand, right: parseOperand(tokens) };
}
