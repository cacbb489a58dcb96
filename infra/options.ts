import type { Node } from 'constructs';
import { choice, flag, number, numberOf, type Option, text } from './option-kinds.ts';

/** Days that CloudWatch Logs can keep a log. Source: Amazon CloudWatch Logs API Reference, PutRetentionPolicy. */
const RETENTIONS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];
/** Every list asks each partition: more of them cost more than they help. */
const SHARDS = [1, 100] as const;

const NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const HTTPS = /^https:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:\/[A-Za-z0-9._~%/-]*)?$/;
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const CERTIFICATE = /^arn:aws[a-z-]*:acm:([a-z0-9-]+):[0-9]{12}:certificate\/[A-Za-z0-9-]+$/;
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Every context value that `cdk synth -c name=value` knows: how the service is deployed. docs/deploy.md lists them. */
export const OPTIONS = {
  name: text('resource-api', 'Names the stack, the API and the event bus', 'a name', NAME),
  stage: text(
    'v1',
    'The API’s stage: the first path segment on the host that API Gateway gives',
    'letters, digits, - and _',
    /^[A-Za-z0-9_-]{1,128}$/,
  ),
  account: text(
    undefined,
    'Account to deploy to; otherwise that of the credentials in use',
    'twelve digits',
    /^[0-9]{12}$/,
  ),
  region: text(
    undefined,
    'Region to deploy to; otherwise that of the credentials in use',
    'a region',
    /^[a-z]{2}(?:-[a-z]+)+-[0-9]$/,
  ),
  architecture: choice('Processors of the functions', ['arm64', 'x86_64']),

  auth: choice('`none` lets everybody do everything', ['token', 'none']),
  issuer: text(
    undefined,
    'The OpenID Connect issuer whose tokens are good; otherwise a Cognito user pool of the stack’s own',
    'an https address',
    HTTPS,
  ),
  audience: text(undefined, 'The API’s name in tokens of that issuer (`aud`)', 'a text', /^\S{1,200}$/),
  jwksUri: text(
    undefined,
    'Where the issuer’s keys are; otherwise where its metadata says',
    'an https address',
    HTTPS,
  ),
  scopePrefix: text('', 'What the issuer puts before each scope', 'a text without spaces', /^\S{0,100}$/),
  authDomain: text(
    undefined,
    'Domain prefix of the user pool’s token endpoint; otherwise name and account',
    'a–z, digits and -',
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  ),

  domainName: text(undefined, 'A host of your own for the API', 'a host name', HOST),
  certificateArn: text(
    undefined,
    'Its certificate in AWS Certificate Manager, in the region of the stack; with `edge` in us-east-1',
    'the ARN of a certificate',
    CERTIFICATE,
  ),
  hostedZoneId: text(
    undefined,
    'The Route 53 zone to enter the host in; otherwise it is entered by hand',
    'a zone’s id',
    /^Z[A-Z0-9]{1,31}$/,
  ),
  basePath: text(
    undefined,
    'Where the API begins on that host: empty or `/path`',
    'empty, or begin with a slash',
    /^(?=.{0,300}$)(?:\/[A-Za-z0-9._~-]+)*$/,
  ),
  allowedOrigin: text(
    undefined,
    'The one origin that browsers may call from; otherwise any',
    'an origin',
    /^(\*|https?:\/\/[A-Za-z0-9.:[\]-]+)$/,
  ),

  rateLimit: number(500, 'Requests per second before API Gateway answers 429'),
  burstLimit: number(1000, 'Requests at once before API Gateway answers 429'),
  maximumWorkers: number(10, 'Operations that are worked on at the same time, 2 to 1000', [2, 1000]),
  operationsConcurrency: number(
    undefined,
    'Requests for operations that are answered, or wait, at the same time; otherwise as many as the account allows',
    [1, 10_000],
  ),
  shards: number(
    undefined,
    'Partitions of each list, 4 otherwise and 100 at most; may grow, never shrink',
    SHARDS,
  ),
  maximumReads: number(
    undefined,
    'Read units per second of each table, and of each index: a limit to what can be spent',
  ),
  maximumWrites: number(
    undefined,
    'Write units per second of each table, and of each index: a limit to what can be spent',
  ),

  data: choice('What becomes of data when the stack is destroyed', ['retain', 'destroy']),
  deployment: choice('`canary`: a tenth of the requests for five minutes first, taken back on errors', [
    'canary',
    'all-at-once',
  ]),
  edge: flag(false, 'CloudFront in front, a stack of its own: one host for the API and for large files'),
  strictTls: flag(
    true,
    'TLS 1.2 and 1.3 with forward secrecy alone on the address that API Gateway gives, which would take TLS 1.0',
  ),
  waf: flag(false, 'A web application firewall in front, with a rate for each address'),
  metrics: flag(true, 'Metrics of each resource: requests, failures, durations, cold starts, DynamoDB units'),
  tracing: flag(false, 'X-Ray traces of requests'),
  logRetentionDays: numberOf(30, 'Days that logs are kept, as CloudWatch Logs counts them', RETENTIONS),
  accountLogRole: flag(
    true,
    'Sets the role that API Gateway writes logs with, one for the whole account and region',
  ),
  alarmEmail: text(undefined, 'Who is told of alarms', 'an e-mail address', ADDRESS),
  monthlyBudget: number(undefined, 'US dollars a month, at 80 % of which `alarmEmail` is told'),

  local: flag(false, 'For `sam local` only: never deployed'),
} as const;

type Declared = typeof OPTIONS;

/** How the service is deployed. */
export type Options = {
  readonly [Name in keyof Declared]: Declared[Name] extends Option<infer Value> ? Value : never;
};

/** What clients see before the service's own paths, as far as it is known beforehand. */
export const pathPrefix = ({ basePath, domainName, edge, stage }: Options): string =>
  basePath ?? (domainName === undefined && !edge ? `/${stage}` : '');

/** Where large files are at the edge. */
export const OBJECTS_PATH = '/objects';

/** What belongs together, or cannot be together. */
const RULES: readonly (readonly [fault: string, holds: (options: Options) => boolean])[] = [
  [
    'A local template is never deployed: it takes no account and no region',
    ({ local, account, region }) => !local || !(account || region),
  ],
  [
    'issuer and audience belong together: whose tokens, and made for whom',
    (o) => (o.issuer === undefined) === (o.audience === undefined),
  ],
  [
    'jwksUri and scopePrefix say more of an issuer: name it',
    (o) => o.issuer !== undefined || (o.jwksUri === undefined && o.scopePrefix === ''),
  ],
  [
    'domainName and certificateArn belong together',
    (o) => (o.domainName === undefined) === (o.certificateArn === undefined),
  ],
  [
    'hostedZoneId is where domainName is entered: name it',
    (o) => o.hostedZoneId === undefined || o.domainName !== undefined,
  ],
  [
    'The edge stands at the root of its host: it takes no basePath',
    (o) => !o.edge || o.basePath === undefined,
  ],
  [
    'monthlyBudget needs an alarmEmail to tell',
    (o) => o.monthlyBudget === undefined || o.alarmEmail !== undefined,
  ],
  ['A firewall of the region sees none but CloudFront behind an edge: edge or waf', (o) => !o.edge || !o.waf],
  [
    'The canary is judged by metrics: without them deployment is all-at-once',
    (o) => o.metrics || o.deployment === 'all-at-once' || o.local,
  ],
  ['A local template has no edge', (o) => !o.local || !o.edge],
  [
    'The user pool needs an authDomain: a name of at most 50 characters without aws, amazon and cognito would be one',
    (o) =>
      o.local ||
      o.auth === 'none' ||
      o.issuer !== undefined ||
      o.authDomain !== undefined ||
      isDomainPrefix(o.name),
  ],
  ['authDomain must not contain aws, amazon or cognito', (o) => !RESERVED.test(o.authDomain ?? '')],
  [
    'certificateArn must be in the region of the stack; with edge in us-east-1',
    ({ certificateArn, region, edge }) => {
      const home = edge ? 'us-east-1' : region;
      return !certificateArn || !home || CERTIFICATE.exec(certificateArn)?.[1] === home;
    },
  ],
  ['name cannot be default: every account has an event bus of that name', (o) => o.name !== 'default'],
];

/** Whether the name makes a domain prefix with the account behind it. Source: Amazon Cognito Developer Guide, "Using the Amazon Cognito domain". */
const isDomainPrefix = (name: string): boolean =>
  name.length <= 50 && !RESERVED.test(name) && !name.endsWith('-');
const RESERVED = /aws|amazon|cognito/i;

/** Context that CDK itself reads is named otherwise: `@aws-cdk/…`, `aws:…`, `availability-zones:…`. */
const isOwn = (name: string): boolean => /^[A-Za-z]+$/.test(name);

/**
 * Reads the context.
 * @throws Error for an option that is none, a value that is none, and values that do not go together.
 */
export function readContext(node: Node): Options {
  const unknown = Object.keys(node.getAllContext()).filter((name) => isOwn(name) && !(name in OPTIONS));
  if (unknown.length > 0)
    throw new Error(`There is no option ${unknown.join(', ')}: docs/deploy.md lists them`);
  const read = Object.entries<Option<unknown>>(OPTIONS).map(([name, option]) => {
    const given: unknown = node.tryGetContext(name);
    if (given === undefined) return [name, option.otherwise];
    const value = option.read(String(given));
    if (value !== undefined) return [name, value];
    throw new Error(`The context value ${name} must be ${option.kind}, not '${given}'`);
  });
  const options = Object.fromEntries(read) as Options;
  for (const [fault, holds] of RULES) if (!holds(options)) throw new Error(fault);
  // The machine at hand, most often.
  const architecture =
    node.tryGetContext('architecture') ?? (options.local ? 'x86_64' : options.architecture);
  return { ...options, architecture };
}
