/** Measures cold starts over real sockets to a process that answers as DynamoDB. */

import { join } from 'node:path';
import { type Bundle, bundle, bundleInto } from '../../../infra/bundle/bundle.ts';
import { table } from '../../table.ts';
import type { Limit } from '../limits.ts';
import { started } from '../servers/process.ts';
import { FORMATS } from './events.ts';
import { coldStarts } from './starts.ts';

/** Directory of all bundles that are made for measurements. */
const OUT = join(import.meta.dirname, '../../../.build/bench');
const ROUNDS = 9;
const READ = 'GET item as JSON';

/** The environment of a function of members on Lambda. */
const environmentOn = (endpoint: string): Readonly<Record<string, string>> => ({
  TABLES: 'members=members',
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
});

const pathOf = ({ directory }: Bundle): string => join(directory, 'index.js');

/** The first request in each format to members, as deployed, and one to Middy with the SDK as it comes. */
export async function coldStart(): Promise<{ text: string; limits: readonly Limit[] }> {
  const members = await bundle('members', join(OUT, 'deployed'));
  const asItIs = { alias: {}, isSplit: false };
  const plain = await bundleInto(join(OUT, 'sdk-middy'), 'lab/bench/functions/sdk-middy.mjs', asItIs);
  const variants = [
    { name: `Middy and the SDK as it comes: ${READ}`, built: plain, event: READ },
    ...Object.keys(FORMATS).map((event) => ({ name: event, built: members, event })),
  ];
  const engine = await started('lab/bench/functions/dynamodb.mjs');
  try {
    const each = variants.map(({ built, event }) => [pathOf(built), event]);
    const starts = coldStarts(each, ROUNDS, environmentOn(engine.url));
    const [reference = 0, own = 0] = starts.map(({ both }) => both);
    const rows = variants.map(({ name, built }, at) => {
      const { load = 0, first = 0, both = 0 } = starts[at] ?? {};
      return [
        name,
        (built.bytes / 1024).toFixed(0),
        ...[load, first, both].map((ms) => ms.toFixed(1)),
        (both / own).toFixed(2),
      ];
    });
    return {
      text: `${table(['first request', 'KB', 'import, ms', 'first call, ms', 'both, ms', '×'], rows)}\n\n${NOTE}`,
      limits: [{ what: 'cold start of members ÷ Middy and the SDK', value: own / reference, most: 1.1 }],
    };
  } finally {
    await engine.stop();
  }
}

/** The circumstances that a reader must know. */
const NOTE =
  'All rows but the first are of the function `members`, as deployed. KB are those that each cold start loads. Parsers of XML and forms, and pages, have files of their own.';
