import { Certainty, loopOf } from './certain.ts';
import { childOf, childrenOf, isFunction, type Node, nameOf, nodesIn, type Placed, treeOf } from './tree.ts';

/** `expect`, a function that is named after it, or a property of fast-check. */
function isExpectation(node: Node): boolean {
  const callee = node.type === 'CallExpression' ? childOf(node, 'callee') : undefined;
  if (/^expect(?:[A-Z]|$)/.test(nameOf(callee) ?? '')) return true;
  return nameOf(callee) === 'assert' && nameOf(callee && childOf(callee, 'object')) === 'fc';
}

/** The titles and the functions of tests, also of tables: `test.each(rows)(title, function)`. */
function testOf(node: Node): Node | undefined {
  if (node.type !== 'CallExpression') return undefined;
  let callee = childOf(node, 'callee');
  if (callee?.type === 'CallExpression') callee = childOf(callee, 'callee');
  while (callee?.type === 'MemberExpression') callee = childOf(callee, 'object');
  const [, body] = childrenOf(node, 'arguments');
  return nameOf(callee) === 'test' && body && isFunction(body) ? body : undefined;
}

/** The function that a declaration names `expect…`. */
function helperOf(node: Node): Node | undefined {
  if (!/^expect[A-Z]/.test(nameOf(childOf(node, 'id')) ?? '')) return undefined;
  if (node.type === 'FunctionDeclaration') return node;
  const value = node.type === 'VariableDeclarator' ? childOf(node, 'init') : undefined;
  return value && isFunction(value) ? value : undefined;
}

/** The ways in which the tests of a module can pass without an expectation, each with its place. */
export function weaknessesOf(path: string, text: string): string[] {
  const program = treeOf(text);
  const certainty = new Certainty(program, text);
  const expectations = nodesIn(program, isExpectation);
  const bodyOf = (node: Node) => testOf(node) ?? helperOf(node);
  const bodies = nodesIn(program, (node) => bodyOf(node) !== undefined).map(({ node }) => ({
    line: node.loc.start.line,
    body: bodyOf(node) as Node,
  }));
  const within = (body: Node) => expectations.filter(({ above }) => above.includes(body));

  /** True if the expectation runs whenever the function does. */
  const isCertain = ({ node, above }: Placed, body: Node): boolean =>
    [...above.slice(above.indexOf(body)), node].every((one, at, all) => {
      const inner = all[at + 1];
      const loop = loopOf(one, inner);
      if (loop) return certainty.hasValues(loop, body);
      if (one.type === 'CatchClause') return false;
      if (one.type === 'LogicalExpression') return inner !== one.right;
      if (one.type !== 'IfStatement' || inner === one.test) return true;
      const other = childOf(one, inner === one.consequent ? 'alternate' : 'consequent');
      return other !== undefined && within(other).length > 0;
    });

  const functions = bodies.flatMap(({ line, body }) => {
    const own = within(body);
    if (own.length === 0) return [`${path}:${line}: has no expectation`];
    return own.some((one) => isCertain(one, body))
      ? []
      : [`${path}:${line}: can pass without an expectation`];
  });
  const empty = new Set<Node>();
  for (const { node, above } of expectations) {
    // fast-check generates the values, and some of them are empty.
    if (above.some(isExpectation)) continue;
    const around = bodies.find(({ body }) => above.includes(body))?.body ?? above.find(isFunction) ?? program;
    [...above, node].forEach((one, at, all) => {
      const loop = loopOf(one, all[at + 1]);
      if (loop && !certainty.hasValues(loop, around)) empty.add(loop.at);
    });
  }
  return [
    ...functions,
    ...[...empty].map(({ loc }) => `${path}:${loc.start.line}: a loop of expectations can be empty`),
  ];
}
