import { join } from 'node:path';
import { bundle } from '../../../infra/bundle/bundle.ts';
import { table } from '../../table.ts';
import type { Limit } from '../limits.ts';
import { started } from '../servers/process.ts';
import { type Built, build, coldStarts, OUT } from './starts.ts';

/** The environment of a function of members on Lambda. */
export const environmentOn = (endpoint: string): Readonly<Record<string, string>> => ({
  TABLES: 'members=members',
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'token',
});

/** The deployed bundle of a resource. */
export async function deployed(name: string): Promise<Built> {
  const { directory, bytes } = await bundle(name, join(OUT, 'deployed'));
  return { path: join(directory, 'index.js'), bytes };
}

/** Cold start over real sockets to a process that answers as DynamoDB, compared with Middy and the SDK as it comes. */
export async function coldStart(): Promise<{ text: string; limits: readonly Limit[] }> {
  const asItIs = { alias: {}, isSplit: false };
  const variants: readonly (readonly [string, Built])[] = [
    ['Middy and the SDK as it comes', await build('sdk-middy', 'lab/bench/variants/sdk-middy.mjs', asItIs)],
    ['resource-api, members, as deployed', await deployed('members')],
  ];
  const engine = await started('lab/bench/functions/dynamodb.mjs');
  try {
    const starts = coldStarts(
      variants.map(([, { path }]) => [path]),
      15,
      environmentOn(engine.url),
    );
    const reference = starts[0]?.both ?? 0;
    const rows = variants.map(([name, { bytes }], at) => {
      const { load = 0, first = 0, both = 0 } = starts[at] ?? {};
      return [
        name,
        (bytes / 1024).toFixed(0),
        ...[load, first, both].map((ms) => ms.toFixed(1)),
        (both / reference).toFixed(2),
      ];
    });
    const own = (starts.at(-1)?.both ?? 0) / reference;
    return {
      text: table(['variant', 'KB', 'import, ms', 'first call, ms', 'both, ms', '×'], rows),
      limits: [{ what: 'cold start of members ÷ Middy and the SDK', value: own, most: 1.1 }],
    };
  } finally {
    await engine.stop();
  }
}
