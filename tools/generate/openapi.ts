import { openApi } from '../../openapi/document.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** True if a value stays on this line. `depth`: the number of objects and arrays around the value. */
type Fits = (line: string, depth: number) => boolean;

/** Short values stay on one line, so that the description is short and its diffs are readable. */
const ofReaders: Fits = (line, depth) => 2 * depth + line.length < 118;

/** True at the depth of an operation and of a component: each has one line. */
const compact: Fits = (_line, depth) => depth >= 3;

/** Returns the description of the service without base path. */
export const openApiSource = (registry: readonly Resource[]): string => written(openApi(registry), ofReaders);

/** Returns the description as `docs/openapi.released.json` has it. */
export const releasedSource = (registry: readonly Resource[]): string => written(openApi(registry), compact);

const written = (document: object, fits: Fits): string => `${lines('', document, fits, 0)}\n`;

/** Returns a value after the name of its property, on one line or with one line for each of its values. */
function lines(name: string, value: unknown, fits: Fits, depth: number): string {
  const line = name + JSON.stringify(value, null, 1).replace(/\n */g, ' ');
  if (typeof value !== 'object' || value === null || fits(line, depth)) return line;
  const isArray = Array.isArray(value);
  const inner = Object.entries(value).map(([key, one]) =>
    lines(isArray ? '' : `${JSON.stringify(key)}: `, one, fits, depth + 1),
  );
  const indent = '  '.repeat(depth);
  const [open, close] = isArray ? '[]' : '{}';
  return `${name}${open}\n${indent}  ${inner.join(`,\n${indent}  `)}\n${indent}${close}`;
}
