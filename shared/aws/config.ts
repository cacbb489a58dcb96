/**
 * The configuration. Only this module reads the environment. The stack sets the variables, or the operator of the
 * functions in another place. A value is read when it is needed, so that a process may set it before its first request.
 */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/** The variables of the process that hold those of the code of authors, and its secrets, begin with these. */
export const VARIABLE = 'VARIABLE_';
export const SECRET = 'SECRET_';

/** Each index spreads a list over this many partitions. */
export const DEFAULT_SHARDS = 4;

/** The gateway in front of the functions, as far as it changes the meaning of an event. */
export interface GatewaySettings {
  /** The prefix that a base path mapping adds to the service's paths; undefined: derived from the request. */
  readonly basePath: string | undefined;
  /** SAM decodes path parameters before the function sees them; API Gateway does not. */
  readonly isSam: boolean;
  /** True if the gateway sends the Content-Length of a response on. API Gateway computes one of the body instead. */
  readonly keepsContentLength: boolean;
  /** True if the service requires credentials. */
  readonly isClosed: boolean;
  /** As `config.allowedOrigin`. */
  readonly allowedOrigin: string;
}

export const config = {
  gateway: (): GatewaySettings => ({
    basePath: process.env.BASE_PATH,
    isSam: process.env.AWS_SAM_LOCAL === 'true',
    keepsContentLength: process.env.KEEPS_CONTENT_LENGTH === 'true',
    isClosed: process.env.AUTH === 'token',
    allowedOrigin: config.allowedOrigin(),
  }),
  /** The origins of pages that may call the service: `*`, one origin, or `loopback`. */
  allowedOrigin: (): string => process.env.ALLOWED_ORIGIN ?? '*',
  /** The DynamoDB table of a resource. */
  tableName: (resource: string): string => {
    const name = tableIn(required('TABLES'), resource);
    if (name === undefined) throw new Error(`TABLES has no table of ${resource}`);
    return name;
  },
  /** True if the function knows the table. */
  hasTable: (resource: string): boolean => tableIn(required('TABLES'), resource) !== undefined,
  bucketName: (): string => required('BUCKET'),
  /** The URL of the queue of operations. */
  operationsQueue: (): string => required('OPERATIONS_QUEUE'),
  /** The URL of the queue of a schedule, in `SCHEDULE_QUEUES`: `reminders=https://…`, with spaces between several. */
  scheduleQueue: (name: string): string => {
    const pair = required('SCHEDULE_QUEUES')
      .split(' ')
      .find((one) => one.startsWith(`${name}=`));
    if (pair === undefined) throw new Error(`SCHEDULE_QUEUES has no queue of ${name}`);
    return pair.slice(name.length + 1);
  },
  /** The URL of the dead-letter queue of schedules. */
  deadSchedules: (): string => required('DEAD_SCHEDULES'),
  /** The URL of the queue of S3's notifications about files, and about uploads in one request. */
  uploadsQueue: (): string => required('UPLOADS_QUEUE'),
  /** The URL of the queue of S3's notifications about uploads in parts. */
  largeUploadsQueue: (): string => required('LARGE_UPLOADS_QUEUE'),
  /** The time between two runs of the sweeper, in ms. */
  sweepTime: (): number => Number(process.env.SWEEP_SECONDS ?? 60) * 1000,
  /** The time of a lease, in ms: after it, another worker takes over. */
  leaseTime: (): number => Number(process.env.LEASE_SECONDS ?? 30) * 1000,
  /** The maximum of `Prefer: wait`, in ms: a request has 29 s in total. Source: Specification 7.4. */
  maximumWait: (): number => Number(process.env.MAXIMUM_WAIT_SECONDS ?? 5) * 1000,
  /** The most requests that wait at one time: a quarter of those that the account runs. */
  maximumWaits: (): number => Number(process.env.MAXIMUM_WAITS ?? 250),
  /** The time in ms after which the log has a change: an undo waits so long before it reads the log. */
  logTime: (): number => Number(process.env.LOG_SECONDS ?? 10) * 1000,
  /** The time that an upload operation waits for its files, in ms: a day. */
  uploadTime: (): number => Number(process.env.UPLOAD_SECONDS ?? 86_400) * 1000,
  /** The EventBridge bus that events go to. */
  eventBus: (): string => required('EVENT_BUS'),
  /** The name of the service in logs and metrics; undefined: it writes none of its own. */
  service: (): string | undefined => process.env.SERVICE || undefined,
  /** True if log lines contain metrics. */
  metrics: (): boolean => process.env.METRICS !== 'false',
  /** A variable of the code of an author; undefined: it has no value. */
  variable: (name: string): string | undefined => process.env[`${VARIABLE}${name}`] || undefined,
  /** A secret of the code of an author, outside of AWS; undefined: it has no value. */
  secret: (name: string): string | undefined => process.env[`${SECRET}${name}`] || undefined,
  /** The ARN of the secret with the key of the hashes in place of callers; undefined: `auditKey` has the key. */
  auditSecret: (): string | undefined => process.env.AUDIT_SECRET || undefined,
  /** The key of the hashes in place of callers in logs and events, outside of AWS; undefined: they have none. */
  auditKey: (): string | undefined => process.env.AUDIT_KEY || undefined,
  /** True if tokens have a trusted issuer. */
  hasIssuer: (): boolean => Boolean(process.env.ISSUER),
  /** The trusted issuer: the `iss` of an OpenID Connect issuer. */
  issuer: (): string => required('ISSUER'),
  /** The required audience of tokens; undefined: the scopes of a token decide. */
  audience: (): string | undefined => process.env.AUDIENCE || undefined,
  /** The issuer's prefix of each scope of this API. */
  scopePrefix: (): string => process.env.SCOPE_PREFIX ?? '',
  /** The scopes that the sign-in on pages requests; undefined: those of each resource. */
  signInScopes: (): readonly string[] | undefined => process.env.SIGN_IN_SCOPES?.split(' '),
  /** The URL of the issuer's keys; undefined: the metadata of the issuer has it. */
  jwksUri: (): string | undefined => process.env.JWKS_URI || undefined,
  /** The address of the API, for the function that calls it; undefined: API Gateway has made that of the request. */
  apiUrl: (): string | undefined => process.env.API_URL || undefined,
  /** The origin of the pages for browsers; undefined: the host of the request has it. */
  pagesOrigin: (): string | undefined => process.env.PAGES_ORIGIN || undefined,
  /** The wanted partitions of each list, if a resource does not state another number. */
  shards: (): number => Number(process.env.SHARDS || DEFAULT_SHARDS),
  /** The time in ms after which a function reads the inventory of a table again. */
  inventoryTime: (): number => Number(process.env.INVENTORY_SECONDS ?? 10) * 1000,
  /** A custom S3 endpoint supports path-style addresses only. */
  s3PathStyle: (): boolean => Boolean(process.env.AWS_ENDPOINT_URL_S3),
  /** The path on the service's own host that leads clients to objects; undefined: clients connect to S3 itself. */
  objectsPath: (): string | undefined => process.env.OBJECTS_PATH || undefined,
  /** The session of the role of this function, which Lambda sets; undefined: the credentials do not expire. */
  sessionToken: (): string | undefined => process.env.AWS_SESSION_TOKEN || undefined,
  /** The address of S3 for clients, if it differs from the one for functions. */
  s3AddressForClients: (): string | undefined => process.env.CLIENT_ENDPOINT_URL_S3 || undefined,
} as const;

/**
 * In the value of `TABLES`, this means the prefix of all tables and the name of the resource. No table has it in its name.
 */
export const PREFIXED = '*';

/**
 * Returns the value of `TABLES`: the tables of a function by resource, such as `members=shop-members
 * orders=shop-orders`. The variables of a function have at most 4 KB, so `*=shop-` can name a prefix once: `*=shop-
 * members=* orders=*-2` is short for `members=shop-members orders=shop-orders-2`.
 *
 * Source: AWS Lambda Developer Guide, "Lambda quotas"; Amazon DynamoDB Developer Guide, "Naming rules".
 */
export const tablesText = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, name]) => `${resource}=${name}`)
    .join(' ');

/** Returns the common prefix of the tables in `TABLES`; undefined: it names none. */
export const tablePrefix = (): string | undefined => /(?:^| )\*=(\S+)/.exec(required('TABLES'))?.[1];

/** The last value of `TABLES` that was read, because each call of DynamoDB needs a name. */
let read: { readonly tables: string; readonly names: ReadonlyMap<string, string> } | undefined;

/** Returns the name of the table of a resource in the value of `TABLES`; undefined: it has none. */
export function tableIn(tables: string, resource: string): string | undefined {
  if (read?.tables !== tables) {
    const pairs = tables.split(' ').map((pair) => pair.split('=', 2) as [string, string]);
    const prefix = new Map(pairs).get(PREFIXED);
    const names = pairs.map(
      ([name, table]) => [name, table.replaceAll(PREFIXED, `${prefix}${name}`)] as const,
    );
    read = { tables, names: new Map(names) };
  }
  return read.names.get(resource);
}

/** The configuration of the functions of subscriptions. */
export const webhookConfig = {
  /** The URLs of the queues: the lane of proven receivers, that of all others, and the fan-out. */
  provenQueue: (): string => required('PROVEN_QUEUE'),
  webhooksQueue: (): string => required('WEBHOOKS_QUEUE'),
  fanOutQueue: (): string => required('FANOUT_QUEUE'),
  /** The pauses after failed attempts to deliver an event, in ms. The last one repeats. Source: Specification 18.8. */
  pauses: (): readonly number[] =>
    (process.env.WEBHOOK_PAUSES ?? '5 60 300 1800 7200 21600 43200')
      .split(' ')
      .map((one) => Number(one) * 1000),
  /** The time after an event for attempts to deliver it, in ms: 3 days. */
  time: (): number => Number(process.env.WEBHOOK_SECONDS ?? 259_200) * 1000,
  /** The time in which a receiver must respond, in ms. */
  patience: (): number => Number(process.env.WEBHOOK_PATIENCE_SECONDS ?? 10) * 1000,
  /** The time of the lease of a receiver, in ms: a run has time for three attempts. */
  lease: (): number => 3 * webhookConfig.patience(),
  /** The most events that wait for one receiver. */
  most: (): number => Number(process.env.WEBHOOK_MOST ?? 10_000),
  /** True if subscriptions may lead to this machine, as on that of a developer. */
  loopback: (): boolean => process.env.WEBHOOK_LOOPBACK === 'true',
} as const;
