import { PREFIXED, tableIn } from '../../shared/aws/config.ts';
import { type Synthesis, target } from './synthesis.ts';

/** The environment variables of a function. */
export const variablesOf = (service: Synthesis, name: string): Readonly<Record<string, unknown>> =>
  (service.functionOf(name).Properties.Environment as { Variables: Record<string, unknown> }).Variables;

/** The texts at both ends of the names that CloudFormation chooses. */
const STACK = 'resource-api-';
const RANDOM = '-1ABCDEFGHIJKL';

type Intrinsic = {
  readonly 'Fn::Join'?: [string, unknown];
  readonly 'Fn::Split'?: [string, unknown];
};

/**
 * The text of an expression of a template, as CloudFormation computes it. A reference becomes the name that
 * CloudFormation chooses for a resource, with the name of the stack, the logical id and a random text.
 */
export function textOf(expression: unknown): string {
  if (typeof expression === 'string') return expression;
  const { 'Fn::Join': join } = expression as Intrinsic;
  if (!join) return `${STACK}${target(expression)}${RANDOM}`;
  const [separator, parts] = join;
  return listOf(parts).join(separator);
}

function listOf(parts: unknown): string[] {
  const { 'Fn::Split': split } = parts as Intrinsic;
  if (split) return textOf(split[1]).split(split[0]);
  return (parts as unknown[]).map((part) => textOf(part));
}

/** The tables in the variables of a function, by resource: the logical id, or the name of an adopted table. */
export function tablesIn(service: Synthesis, name: string): Readonly<Record<string, string>> {
  const text = textOf(variablesOf(service, name).TABLES ?? '');
  const idOf = (table: string) =>
    table.endsWith(RANDOM) ? table.slice(STACK.length, -RANDOM.length) : table;
  const resources = text.split(' ').flatMap((pair) => pair.split('=')[0] || []);
  return Object.fromEntries(
    resources.filter((one) => one !== PREFIXED).map((one) => [one, idOf(tableIn(text, one) ?? '')]),
  );
}
