/**
 * The configuration, and the only reader of the environment. Names are set by the stack, or by whoever runs the
 * functions elsewhere; read when asked for, so that a process may set them before its first request.
 */
function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/** Lists are spread over this many partitions of each index; may grow, never shrink. */
const DEFAULT_SHARDS = 4;

let orders: { readonly text: string; readonly names: ReadonlySet<string> } = { text: '', names: new Set() };

/** Splits the names once for each value of the variable. */
function ordersByReading(text: string): ReadonlySet<string> {
  if (text !== orders.text) orders = { text, names: new Set(text.split(' ')) };
  return orders.names;
}

export const config = {
  /** The DynamoDB table of a resource. */
  tableName: (resource: string): string => required(tableVariable(resource)),
  bucketName: (): string => required('BUCKET'),
  /** The URL of the queue of operations. */
  operationsQueue: (): string => required('OPERATIONS_QUEUE'),
  /** The URL of the queue of S3's notifications about files and uploads. */
  uploadsQueue: (): string => required('UPLOADS_QUEUE'),
  /** How long a worker may be silent before another one takes over, in ms. */
  leaseTime: (): number => Number(process.env.LEASE_SECONDS ?? 30) * 1000,
  /** How long a client may wait for the end of an operation, in ms: a request has 29 s in all. */
  maximumWait: (): number => Number(process.env.MAXIMUM_WAIT_SECONDS ?? 5) * 1000,
  /** How long links for uploads can be used, in s, where it does not follow from the size. */
  uploadSeconds: (): number | undefined => Number(process.env.UPLOAD_SECONDS ?? 0) || undefined,
  /** The EventBridge bus that events go to. */
  eventBus: (): string => required('EVENT_BUS'),
  /** What the service is called in logs and metrics; undefined: it keeps none of its own. */
  service: (): string | undefined => process.env.SERVICE || undefined,
  /** Whether lines of the log carry metrics. */
  metrics: (): boolean => process.env.METRICS !== 'false',
  /** Whether callers have to say who they are. */
  isClosed: (): boolean => process.env.AUTH === 'token',
  /** Whose tokens are good: the `iss` of an OpenID Connect issuer. */
  issuer: (): string => required('ISSUER'),
  /** What tokens must have been made for; undefined: for this API by their scopes. */
  audience: (): string | undefined => process.env.AUDIENCE || undefined,
  /** What the issuer puts before each scope of this API. */
  scopePrefix: (): string => process.env.SCOPE_PREFIX ?? '',
  /** Where the issuer's keys are; undefined: where its metadata says. */
  jwksUri: (): string | undefined => process.env.JWKS_URI || undefined,
  shards: (): number => Number(process.env.SHARDS ?? DEFAULT_SHARDS),
  /** Orders such as `members.email` whose index may lack items: the service sorts these lists by reading. */
  ordersByReading: (): ReadonlySet<string> => ordersByReading(process.env.ORDERS_BY_READING ?? ''),
  /** What a base path mapping put before the service's paths; undefined: derived from the request. */
  basePath: (): string | undefined => process.env.BASE_PATH,
  /** SAM decodes path parameters before the function sees them; API Gateway does not. */
  samLocal: (): boolean => process.env.AWS_SAM_LOCAL === 'true',
  /** The pages that browsers may call from: `*`, one origin, or `loopback`. */
  allowedOrigin: (): string => process.env.ALLOWED_ORIGIN ?? '*',
  /** A custom S3 endpoint knows no virtual hosts. */
  s3PathStyle: (): boolean => Boolean(process.env.AWS_ENDPOINT_URL_S3),
  /** The path, on the service's own host, below which clients reach objects; undefined: they reach S3 itself. */
  objectsPath: (): string | undefined => process.env.OBJECTS_PATH || undefined,
  /** Where clients of the service reach S3, if that is elsewhere than where the functions do. */
  s3AddressForClients: (): string | undefined => process.env.CLIENT_ENDPOINT_URL_S3 || undefined,
} as const;

/** The environment variable that names a resource's table. */
export const tableVariable = (resource: string): string => `TABLE_${resource.toUpperCase()}`;
