import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { breaks } from '../../openapi/evolution/breaks.ts';
import type { OpenApi } from '../../openapi/model.ts';

/** Narrowings of this service's own description. The comparison must find each. */
const text = readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8');
const read = (): OpenApi => JSON.parse(text);

type Node = Record<string, unknown>;

/** Changes every object of a description. Returns the number of objects that `change` reports as changed. */
function everywhere(value: unknown, change: (node: Node) => unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = !Array.isArray(value) && change(value as Node) ? 1 : 0;
  return Object.values(value).reduce((sum: number, one) => sum + everywhere(one, change), own);
}

const isFreeText = ({ type, ...rest }: Node) =>
  type === 'string' && !['format', 'enum', 'pattern', 'const'].some((keyword) => keyword in rest);

const isObjectWithMembers = ({ type, properties }: Node) => type === 'object' && properties !== undefined;

const NARROWINGS: readonly (readonly [what: string, change: (node: Node) => unknown])[] = [
  [
    'anyOf and oneOf with their first branch alone',
    (node) =>
      ['anyOf', 'oneOf'].filter((keyword) => {
        const branches = node[keyword];
        return Array.isArray(branches) && branches.length > 1 && branches.splice(1);
      }).length,
  ],
  [
    'a new required property inside allOf',
    ({ allOf }) => Array.isArray(allOf) && allOf.push({ properties: { added: {} }, required: ['added'] }),
  ],
  ['a format of free texts', (node) => isFreeText(node) && Object.assign(node, { format: 'uuid' })],
  [
    'other scopes',
    ({ security }) =>
      Array.isArray(security) &&
      security.filter((one) => one.bearer && Object.assign(one, { bearer: ['x'] })).length,
  ],
  [
    'a new required property',
    (node) => isObjectWithMembers(node) && Object.assign(node, { required: ['added'] }),
  ],
  [
    'names of members that must match a pattern',
    (node) => isObjectWithMembers(node) && Object.assign(node, { propertyNames: { pattern: '^a' } }),
  ],
  ['a smaller maximum', (node) => Number(node.maxLength) > 1 && Object.assign(node, { maxLength: 1 })],
  ['an enumeration of free texts', (node) => isFreeText(node) && Object.assign(node, { enum: ['a'] })],
  [
    'values that not excludes',
    (node) => node.type === 'integer' && Object.assign(node, { not: { const: 7 } }),
  ],
  [
    'refused other members',
    (node) => isObjectWithMembers(node) && Object.assign(node, { additionalProperties: false }),
  ],
];

test('finds nothing in an unchanged description', () => expect(breaks(read(), read())).toEqual([]));

test.each(NARROWINGS)('finds %s', (_what, change) => {
  const present = read();
  expect(everywhere(present, change)).toBeGreaterThan(0);
  expect(breaks(read(), present).length).toBeGreaterThan(0);
});
