import { childOf, childrenOf, type Node, nameOf, nodesIn } from './tree.ts';

/** A loop with a body that runs once for each value: a statement, or a call with a callback. */
export interface Loop {
  readonly at: Node;
  readonly values: Node;
}

const CALLBACKS = ['forEach', 'map', 'flatMap'];

/** Returns the loop that a node is, if its child `inner` belongs to the body; otherwise undefined. */
export function loopOf(node: Node, inner: Node | undefined): Loop | undefined {
  if (inner === undefined) return undefined;
  if (node.type === 'ForOfStatement')
    return inner === node.body ? { at: node, values: childOf(node, 'right') as Node } : undefined;
  const callee = node.type === 'CallExpression' ? childOf(node, 'callee') : undefined;
  const values = callee?.type === 'MemberExpression' ? childOf(callee, 'object') : undefined;
  const isCallback = childrenOf(node, 'arguments').includes(inner);
  return values && isCallback && CALLBACKS.includes(nameOf(callee) ?? '') ? { at: node, values } : undefined;
}

/** Methods that have as many values as their object, or more. */
const KEEPING = ['map', 'entries', 'values', 'keys', 'sort', 'toSorted', 'reverse', 'toReversed', 'concat'];

/** The nodes of a module that say how many values a loop has. */
export class Certainty {
  readonly #constants = new Map<string, Node>();
  readonly #text: string;

  constructor(program: Node, text: string) {
    this.#text = text;
    for (const { node } of nodesIn(program, ({ type }) => type === 'VariableDeclarator')) {
      const [name, value] = [nameOf(childOf(node, 'id')), childOf(node, 'init')];
      if (name !== undefined && value) this.#constants.set(name, value);
    }
  }

  /** True if a loop has at least one value, or if an expectation in the test or function `around` it says so. */
  hasValues({ at, values }: Loop, around: Node): boolean {
    return this.#isFilled(values) || this.#isExpected(at, values, around);
  }

  /** True if the code itself shows that the values are at least one. */
  #isFilled(node: Node | undefined, depth = 0): boolean {
    if (!node || depth > 8) return false;
    const isFilled = (one: Node | undefined) => this.#isFilled(one, depth + 1);
    const anyOf = (property: string) =>
      childrenOf(node, property).some(
        (one) => one.type !== 'SpreadElement' || isFilled(childOf(one, 'argument')),
      );
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        return isFilled(childOf(node, 'expression'));
      case 'AwaitExpression':
        return isFilled(childOf(node, 'argument'));
      case 'ArrayExpression':
        return anyOf('elements');
      case 'ObjectExpression':
        return anyOf('properties');
      case 'StringLiteral':
        return node.value !== '';
      case 'Identifier':
        return isFilled(this.#constants.get(String(node.name)));
      case 'NewExpression':
        return (
          ['Set', 'Map'].includes(nameOf(childOf(node, 'callee')) ?? '') &&
          isFilled(childrenOf(node, 'arguments')[0])
        );
      case 'CallExpression':
        return this.#isFilledCall(node, isFilled);
      default:
        return false;
    }
  }

  #isFilledCall(node: Node, isFilled: (one: Node | undefined) => boolean): boolean {
    const callee = childOf(node, 'callee');
    const [first] = childrenOf(node, 'arguments');
    const name = nameOf(callee) ?? '';
    if (name === 'atLeastOne' || name === 'split') return true;
    const object = callee && childOf(callee, 'object');
    const owner = object?.type === 'Identifier' ? String(object.name) : '';
    if (owner === 'Array' && name === 'from' && first?.type === 'ObjectExpression') return true;
    if (['Object', 'Array', 'Promise', 'Map'].includes(owner)) return isFilled(first);
    return KEEPING.includes(name) && isFilled(object);
  }

  /** True if an expectation before the end of the loop is about the number of the values, or about all of them. */
  #isExpected(loop: Node, values: Node, around: Node): boolean {
    const source = this.#sourceOf(values);
    const [root = ''] = /^[\w$]+/.exec(source) ?? [];
    const isBefore = (node: Node) =>
      node.start < loop.end && node.type === 'CallExpression' && nameOf(childOf(node, 'callee')) === 'expect';
    return nodesIn(around, isBefore).some(({ node }) => {
      const [about] = childrenOf(node, 'arguments');
      if (!about) return false;
      const matcher = /^\s*\.(\w+)/.exec(this.#text.slice(node.end))?.[1] ?? '';
      const text = this.#sourceOf(about);
      if (matcher === 'not') return false;
      if ([source, `${source}.length`, `${source}.size`].includes(text)) return true;
      return (
        /^(?:toHaveLength|toBeGreaterThan\w*)$/.test(matcher) &&
        root !== '' &&
        new RegExp(`\\b${root}\\b`).test(text)
      );
    });
  }

  #sourceOf = ({ start, end }: Node): string => this.#text.slice(start, end).replace(/\s+/g, '');
}
