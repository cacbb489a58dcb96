import { HAS_PAGES } from '../service/about.ts';
import { RUNBOOK } from '../service/folders.ts';
import { choice, flag, number, numberOf, type Option, RETENTIONS, text } from './option-kinds.ts';

/** Every list request reads each partition, so more partitions than this cost more than they help. */
export const SHARDS = [1, 100] as const;
const NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const HTTPS = /^https:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:\/[A-Za-z0-9._~%/-]*)?$/;
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
export const CERTIFICATE = /^arn:aws[a-z-]*:acm:([a-z0-9-]+):[0-9]{12}:certificate\/[A-Za-z0-9-]+$/;
/**
 * `orders=arn:aws:dynamodb:eu-west-1:111122223333:table/T`, with commas between them. The ARN of a stream names its table.
 */
const ADOPTED =
  /^(?:(?:^|,)[a-z][a-z0-9]*=arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:[0-9]{12}:table\/[A-Za-z0-9_.-]{3,255}(?:\/stream\/[0-9T:.-]+)?)+$/;
/** Source: Amazon S3 User Guide, "General purpose bucket naming rules". Dots would break TLS. */
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const ADDRESS = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
const email = (about: string) => text(undefined, about, 'an e-mail address', ADDRESS);

/** The deployment options: every context value that `cdk synth -c name=value` accepts. docs/deploy.md lists them. */
export const OPTIONS = {
  env: text(
    undefined,
    'The environment, whose options the app names. `-c` and `cdk.json` override them',
    'the name of an environment',
    /^[a-z][a-z0-9-]{0,63}$/,
  ),
  name: text('resource-api', 'Names the stack, the API and the event bus', 'letters, digits and -', NAME),
  stage: text(
    'v1',
    'The stage of the API: the first path segment on the API Gateway host',
    'letters, digits, - and _',
    /^[A-Za-z0-9_-]{1,128}$/,
  ),
  account: text(
    undefined,
    'Account to deploy to; the default is the account of the credentials in use',
    'twelve digits',
    /^[0-9]{12}$/,
  ),
  region: text(
    undefined,
    'Region to deploy to; the default is the region of the credentials in use',
    'a region such as eu-west-1',
    /^[a-z]{2}(?:-[a-z]+)+-[0-9]$/,
  ),
  architecture: choice('Processor architecture of the Lambda functions', ['arm64', 'x86_64']),

  auth: choice('`token`: callers need a token; `none`: anyone can read, change and delete everything', [
    'token',
    'none',
  ]),
  issuer: text(
    undefined,
    'The OpenID Connect issuer whose tokens the API accepts; the default is a new Cognito user pool in the stack',
    'an https address',
    HTTPS,
  ),
  audience: text(
    undefined,
    'The value of `aud` in the tokens that `issuer` issues for this API',
    'a text without spaces',
    /^\S{1,200}$/,
  ),
  jwksUri: text(
    undefined,
    'Address of the issuer’s key set; the default comes from the issuer’s metadata',
    'an https address',
    HTTPS,
  ),
  program: choice(
    'A client of the user pool for programs, with no scope that writes, or with all; it costs $ 6 a month',
    ['none', 'read', 'all'],
  ),
  scopePrefix: text('', 'Prefix that the issuer adds to each scope', 'a text without spaces', /^\S{0,100}$/),
  pages: flag(
    HAS_PAGES,
    'People sign in on pages; without it, API Gateway calls the authorizer less often, and pages need a Bearer token',
  ),
  signInClient: text(
    undefined,
    'The client of `issuer` for the sign-in on pages: a public client with the authorization code flow and PKCE',
    'a client’s id',
    /^[A-Za-z0-9._~:/?#&=,-]{1,200}$/,
  ),
  authDomain: text(
    undefined,
    'Domain prefix of the user pool’s token endpoint; the default is name and account',
    'a–z, digits and -',
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  ),

  domainName: text(undefined, 'Your own host name for the API', 'a host name', HOST),
  certificateArn: text(
    undefined,
    'The certificate of `domainName` in AWS Certificate Manager, in the stack’s region; with `edge`, in us-east-1',
    'the ARN of a certificate',
    CERTIFICATE,
  ),
  hostedZoneId: text(
    undefined,
    'The Route 53 zone that gets the DNS record of `domainName`; without it, you create the record yourself',
    'a zone’s id',
    /^Z[A-Z0-9]{1,31}$/,
  ),
  basePath: text(
    undefined,
    'Base path of the API on `domainName`: empty or `/path`',
    'empty, or begin with a slash',
    /^(?=.{0,300}$)(?:\/[A-Za-z0-9._~-]+)*$/,
  ),
  allowedOrigin: text(
    undefined,
    'The only origin whose pages can call the API; the default is every origin',
    'an origin',
    /^(\*|https?:\/\/[A-Za-z0-9.:[\]-]+)$/,
  ),

  rateLimit: number(500, 'Requests per second to each method of each path; API Gateway answers 429 to more'),
  burstLimit: number(
    1000,
    'Requests in one burst to each method of each path; API Gateway answers 429 to more',
  ),
  callerRateLimit: number(
    100,
    'Requests per second of one caller, and twice as many in one burst; needs `auth=token`',
  ),
  openRateLimit: number(
    100,
    'Requests per second to each path that needs no token, such as `/health`, and twice as many in one burst',
  ),
  maximumWorkers: number(10, 'Operations that the workers run at the same time, 2 to 1000', [2, 1000]),
  eventWorkers: number(
    1,
    'Batches of changes that the events function publishes at the same time, for each partition of a stream. The same for `onChange`',
    [1, 10],
  ),
  eventArchiveDays: number(
    undefined,
    'Days that EventBridge keeps the events, so that you can replay them; by default there is no archive',
    [1, 3650],
  ),
  maximumWaits: number(
    250,
    'Requests with `Prefer: wait` that wait at one time, ten of a caller. A quarter of the concurrency of the account',
    [1, 60_000],
  ),
  shards: number(undefined, 'Partitions of each list: 4 by default, at most 100', SHARDS),
  maximumReads: number(undefined, 'Maximum read units per second of each table and index, to limit the cost'),
  maximumWrites: number(
    undefined,
    'Maximum write units per second of each table and index, to limit the cost',
  ),

  adoptedTables: text(
    undefined,
    'Existing tables in place of those of the stack, such as restored ones: `NAME=ARN of the table`, with commas',
    'NAME=ARN of a table, with commas between several',
    ADOPTED,
  ),
  adoptedBucket: text(
    undefined,
    'An existing bucket of files in place of that of the stack, such as a retained one or a copy',
    'the name of a bucket',
    BUCKET,
  ),
  data: choice('Whether AWS keeps or deletes the data when you destroy the stack', ['retain', 'destroy']),
  deployment: choice(
    '`canary`: new code must pass a check, then gets a tenth of the requests for five minutes; errors roll it back',
    ['canary', 'all-at-once'],
  ),
  edge: flag(false, 'A second stack with CloudFront: one host for the API and for large files'),
  strictTls: flag(
    true,
    'Only TLS 1.2 and 1.3 with forward secrecy on the API Gateway host; without it, the host accepts TLS 1.0',
  ),
  waf: choice(
    'A web application firewall: a limit for each address without a token, and rules of AWS against known attacks, which count or block requests',
    ['none', 'count', 'block'],
  ),
  addressRateLimit: number(
    60_000,
    'Requests without a token of one address in five minutes; the firewall answers 429 to more',
  ),
  observability: choice(
    '`basic`: few alarms on metrics of AWS; `full`: metrics of each resource, all alarms, a dashboard; `none`: no alarm, needs `deployment=all-at-once`',
    ['basic', 'full', 'none'],
  ),
  tracing: flag(false, 'X-Ray traces of requests'),
  logRetentionDays: numberOf(30, 'Days that CloudWatch Logs keeps the logs', RETENTIONS),
  auditRetentionDays: numberOf(
    365,
    'Days that CloudWatch Logs keeps the audit log: a line for each write, with a hash of the caller',
    RETENTIONS,
  ),
  auditKey: number(
    1,
    'The number of the key that hashes callers in logs and events; a new number makes a new key',
    [1, 1000],
  ),
  accountLogRole: flag(
    true,
    'Sets the role that API Gateway uses to write logs; an account has one role in each region',
  ),
  alarmEmail: email('E-mail address that gets the alarms that need a person at once'),
  ticketEmail: email(
    'E-mail address that gets the alarms that can wait for days; the default is `alarmEmail`',
  ),
  runbook: text(
    RUNBOOK,
    'The address of the runbook; each alarm names a section of it',
    'an address without spaces',
    /^\S{1,300}$/,
  ),
  monthlyBudget: number(undefined, 'US dollars a month; at 80 % of it, `alarmEmail` gets a message'),

  repository: text(
    undefined,
    'A GitHub repository: a further stack has the roles with which its workflow deploys',
    'owner/name',
    /^[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100}$/,
  ),

  local: flag(false, 'For `sam local` only; such a template is never deployed'),
} as const;

type Declared = typeof OPTIONS;

/** The values of all options. */
export type Options = {
  readonly [Name in keyof Declared]: Declared[Name] extends Option<infer Value> ? Value : never;
} & {
  /** The values of the variables that `needs` of definitions names. Only the app gives them, and no `-c`. */
  readonly variables: Readonly<Record<string, string>>;
};

/** The options of one environment, such as production. `cdk synth -c env=production` uses them. */
export type Environment = Partial<Omit<Options, 'env' | 'local' | 'repository'>>;

/** Returns the path that clients see before the service's own paths, as far as the options determine it. */
export const pathPrefix = ({ basePath, domainName, edge, stage }: Options): string =>
  basePath ?? (domainName === undefined && !edge ? `/${stage}` : '');

/** Returns the address of the service, if the operator has chosen its host. Otherwise the deployment makes one. */
export const addressOf = (options: Options): string | undefined =>
  options.domainName === undefined ? undefined : `https://${options.domainName}${pathPrefix(options)}`;

/** Path of large files on the CloudFront host. */
export const OBJECTS_PATH = '/objects';
