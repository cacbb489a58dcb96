import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breaks } from './evolution/breaks.ts';
import type { Finding, Place } from './evolution/finding.ts';
import { withoutLeftOut } from './evolution/left-out.ts';
import { sentenceOf } from './evolution/sentence.ts';
import type { OpenApi } from './model.ts';

/**
 * `node openapi/compare.ts` lists the breaking changes since the released description, and exits with 1 if there are
 * any. At a release, `npm run tool -- release` writes `docs/openapi.released.json`.
 */
const read = (name: string): OpenApi =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../docs', name), 'utf8'));

/** Accepted findings. */
const DEMANDED: readonly ((one: Finding) => boolean)[] = [
  // Texts also compare by `.words`, and products have the property `sku`, so more names are comparisons.
  (one) => one.kind === 'keyword' && one.keyword === 'patternProperties' && isParameter(one, 'comparisons'),
  // The service has always refused other values, and the released description did not say so.
  (one) => one.kind === 'keyword' && one.keyword === 'format' && isParameter(one, 'Accept-Datetime'),
  // The service takes other texts of numbers, such as `+1`, as ever: a parameter of the description has one type.
  (one) => one.path === '/add' && one.part?.kind === 'parameter' && one.kind !== 'parameterGone',
  // An unknown member of a file was lost, and with it what the client meant: its bytes were others.
  (one) => one.path === '/files' && one.kind === 'closed',
  // Who could not read an order could read its customer, and learn by 404 which orders exist.
  (one) => one.kind === 'credentials' && RELATIONS.test(one.path),
];

const RELATIONS = /^\/orders\/\{[^}]+\}\/(?:customer|products)$|^\/customers\/\{[^}]+\}\/orders$/;

const isParameter = ({ part }: Place, name: string): boolean =>
  part?.kind === 'parameter' && part.name === name;

const present = read('openapi.json');
const { document: released, left } = withoutLeftOut(read('openapi.released.json'), present);
if (left.length > 0) console.log(`The description leaves out, and the service still has: ${left.join(', ')}`);
const found = breaks(released, present).filter((one) => !DEMANDED.some((accepts) => accepts(one)));
for (const one of found) console.error(sentenceOf(one));
process.exitCode = found.length === 0 ? 0 : 1;
