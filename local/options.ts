import { parseArgs } from 'node:util';
import { SHARDS } from '../infra/options.ts';
import { LOOPBACK } from '../shared/http/origin.ts';

/** The options of the local service. */
export interface Options {
  readonly port: number;
  readonly host: string;
  /** The pages of other origins that may use the service: `*`, one origin, or LOOPBACK. */
  readonly allowedOrigin: string;
  /** Names of hosts, in addition to loopback names, by which clients may call the service. */
  readonly allowedHosts: readonly string[];
  /** Directory of all data. */
  readonly directory: string;
  /** Port of the listener of the embedded engines, for presigned URLs and `sam local`; 0: any. */
  readonly enginePort: number;
  /** Shards of each list; undefined: as many as the data directory has. */
  readonly shards: number | undefined;
  /** Start without products. */
  readonly empty: boolean;
  /** Add a small example data set. */
  readonly seed: boolean;
  /** Callers need a token, as in a deployment. */
  readonly auth: boolean;
  /** API Gateway's limits for requests hold, as in a deployment. */
  readonly throttle: boolean;
  /** Port of the token issuer; 0: any. */
  readonly issuerPort: number;
  /** A stage at the start of each path, as on an API Gateway host. */
  readonly stage: string | undefined;
}

/** An invalid option. Its message is one sentence for the user. */
export class OptionError extends Error {}

export const USAGE = `npm start -- [--empty] [--seed] [--auth] [--throttle] [--stage NAME]
  --empty       start a new DATA_DIR without the products 1 to 3
  --seed        add a small data set, if there are no customers yet
  --auth        require tokens, as a deployment does, and print how to get one
  --throttle    limit requests as a deployment does, and answer 429 to more
  --stage NAME  serve below /NAME, like a stage of API Gateway
Environment: PORT (3000; 0 = any), HOST (127.0.0.1), DATA_DIR (.data/), ENGINE_PORT (0 = any),
             ISSUER_PORT (0 = any), ALLOWED_ORIGIN (pages of this machine; or one more origin, or *),
             ALLOWED_HOSTS (names of this machine that clients use, such as api,api.test),
             SHARDS (partitions of each list; 1 in a new DATA_DIR; it can only grow),
             ENGINE_WIRE (1 = call the embedded engines by signed messages)`;

function portOf(environment: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = environment[name];
  if (text === undefined || text === '') return otherwise;
  const port = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && port <= 65_535) return port;
  throw new OptionError(`${name} must be a port from 0 to 65535, not '${text}'`);
}

function shardsOf({ SHARDS: text = '' }: NodeJS.ProcessEnv): number | undefined {
  if (text === '') return undefined;
  const shards = Number(text);
  if (Number.isInteger(shards) && shards >= SHARDS[0] && shards <= SHARDS[1]) return shards;
  throw new OptionError(`SHARDS must be a number from ${SHARDS.join(' to ')}, not '${text}'`);
}

function originOf({ ALLOWED_ORIGIN: origin = '' }: NodeJS.ProcessEnv): string {
  if (origin === '') return LOOPBACK;
  if (['*', LOOPBACK].includes(origin) || (URL.canParse(origin) && new URL(origin).origin === origin))
    return origin;
  throw new OptionError(
    `ALLOWED_ORIGIN must be an origin such as https://app.example, or *, not '${origin}'`,
  );
}

function hostsOf({ ALLOWED_HOSTS: text = '' }: NodeJS.ProcessEnv): readonly string[] {
  if (text === '') return [];
  const hosts = text.split(',').map((name) => name.trim().toLowerCase());
  const wrong = hosts.find((name) => !/^[a-z0-9.-]+$/.test(name));
  if (wrong === undefined) return hosts;
  throw new OptionError(`ALLOWED_HOSTS must be names without port such as api,api.test, not '${wrong}'`);
}

function flagsIn(args: readonly string[]) {
  const options = {
    empty: { type: 'boolean', default: false },
    seed: { type: 'boolean', default: false },
    auth: { type: 'boolean', default: false },
    throttle: { type: 'boolean', default: false },
    stage: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new OptionError(`${(error as Error).message}\n${USAGE}`);
  }
}

/** Reads the command line and the environment. @throws OptionError */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { help, stage, ...flags } = flagsIn(args);
  if (help) throw new OptionError(USAGE);
  if (stage !== undefined && !/^[A-Za-z0-9_-]{1,128}$/.test(stage)) {
    throw new OptionError('A stage has letters, digits, - and _ only');
  }
  return {
    port: portOf(environment, 'PORT', 3000),
    host: environment.HOST || '127.0.0.1',
    allowedOrigin: originOf(environment),
    allowedHosts: hostsOf(environment),
    directory: environment.DATA_DIR || '.data',
    enginePort: portOf(environment, 'ENGINE_PORT', 0),
    shards: shardsOf(environment),
    issuerPort: portOf(environment, 'ISSUER_PORT', 0),
    stage,
    ...flags,
  };
}
