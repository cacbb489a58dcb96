import { parse } from '@babel/parser';

/** A node of a syntax tree. Source: Babel AST specification. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [property: string]: unknown;
}

/** A node, and the nodes above it: the closest one is the last. */
export interface Placed {
  readonly node: Node;
  readonly above: readonly Node[];
}

/** Returns the syntax tree of a module. */
export const treeOf = (text: string): Node =>
  parse(text, { sourceType: 'module', plugins: ['typescript'], attachComment: false })
    .program as unknown as Node;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Returns the node in a property; undefined if it has none. */
export const childOf = (node: Node, property: string): Node | undefined =>
  isNode(node[property]) ? node[property] : undefined;

/** Returns the nodes in a property with a list. */
export const childrenOf = (node: Node, property: string): readonly Node[] =>
  Array.isArray(node[property]) ? node[property].filter(isNode) : [];

/** Returns a node and all nodes below it that match, each with the nodes above it. */
export function nodesIn(root: Node, matches: (node: Node) => boolean): Placed[] {
  const found: Placed[] = [];
  const above: Node[] = [];
  const visit = (node: Node): void => {
    if (matches(node)) found.push({ node, above: [...above] });
    above.push(node);
    for (const property in node) {
      const value = node[property];
      if (Array.isArray(value)) value.filter(isNode).forEach(visit);
      else if (isNode(value)) visit(value);
    }
    above.pop();
  };
  visit(root);
  return found;
}

export const isFunction = ({ type }: Node): boolean => /Function/.test(type);

/** Returns the name that an identifier or the last part of a member expression has; undefined for other nodes. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier') return String(node.name);
  return node?.type === 'MemberExpression' ? nameOf(childOf(node, 'property')) : undefined;
}
