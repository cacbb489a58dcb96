import type { Node } from 'constructs';

/** How the service is deployed: every context value that `cdk synth -c name=value` knows, with its default. */
export interface Options {
  /** Names the stack and the API. */
  readonly name: string;
  /** The API's stage: the first path segment on the host that API Gateway gives. */
  readonly stage: string;
  /** For `sam local` only: never deployed. */
  readonly local: boolean;
  readonly architecture: 'arm64' | 'x86_64';
  /** Account and region of the stack; undefined: whatever the credentials in use say. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  /** Requests per second, and how many may come at once, before API Gateway answers 429. */
  readonly rateLimit: number;
  readonly burstLimit: number;
  readonly logRetentionDays: number;
  /** Partitions of each list; undefined: the functions' own default. May grow, never shrink. */
  readonly shards: number | undefined;
  /** Path of a base path mapping, '' for none; undefined: derived from the request. */
  readonly basePath: string | undefined;
  /** The one origin that browsers may call from; undefined: any. */
  readonly allowedOrigin: string | undefined;
}

/**
 * Reads the context.
 * @throws Error for a value that is none, and for a local template with a place to deploy it to.
 */
export function readContext(node: Node): Options {
  const text = (name: string): string | undefined => {
    const value: unknown = node.tryGetContext(name);
    return value === undefined ? undefined : String(value);
  };
  const number = (name: string): number | undefined => {
    const value = text(name);
    if (value === undefined || /^[1-9][0-9]{0,6}$/.test(value))
      return value === undefined ? undefined : Number(value);
    throw new Error(`The context value ${name} must be a positive integer, not '${value}'`);
  };
  const local = text('local') === 'true';
  const options: Options = {
    name: text('name') ?? 'resource-api',
    stage: text('stage') ?? 'v1',
    local,
    architecture: architectureOf(text('architecture') ?? (local ? 'x86_64' : 'arm64')),
    account: text('account'),
    region: text('region'),
    rateLimit: number('rateLimit') ?? 500,
    burstLimit: number('burstLimit') ?? 1000,
    logRetentionDays: number('logRetentionDays') ?? 30,
    shards: number('shards'),
    basePath: text('basePath'),
    allowedOrigin: text('allowedOrigin'),
  };
  if (local && (options.account || options.region))
    throw new Error('A local template is never deployed: it takes no account and no region');
  if (options.basePath && !/^(\/[A-Za-z0-9._~-]+)+$/.test(options.basePath))
    throw new Error(`The context value basePath must be '' or begin with a slash, not '${options.basePath}'`);
  if (options.allowedOrigin && !/^(\*|https?:\/\/[A-Za-z0-9.:[\]-]+)$/.test(options.allowedOrigin))
    throw new Error(`The context value allowedOrigin must be an origin, not '${options.allowedOrigin}'`);
  return options;
}

function architectureOf(name: string): Options['architecture'] {
  if (name === 'arm64' || name === 'x86_64') return name;
  throw new Error(`The context value architecture must be arm64 or x86_64, not '${name}'`);
}
