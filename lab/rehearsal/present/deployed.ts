import { ok } from 'node:assert/strict';
import type { Declared, Template } from '../cdk.ts';
import type { There } from '../moto.ts';

/** A template and the resources that moto created from it. */
export interface Deployed {
  readonly template: Template;
  readonly there: There;
}

/** The properties of a resource in a template. */
export type Properties = Readonly<Record<string, unknown>>;

/** The resources of a type, by logical id. */
export const ofType = ({ Resources }: Template, type: string): [id: string, declared: Declared][] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type);

/** The only resource of a type. */

/** The physical id of a reference, or the text itself; undefined for a value of several parts. */
export function resolveReference({ resources }: There, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { Ref } = value as { Ref?: string };
  return Ref === undefined ? undefined : resources[Ref];
}

/** The physical id of a resource of the template. */
export const physical = ({ resources }: There, id: string): string => {
  const name = resources[id];
  ok(name, `${id} is not in the stack`);
  return name;
};
