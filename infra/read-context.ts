import type { Node } from 'constructs';
import { ADDRESS_SECONDS } from './gateway/throttling.ts';
import type { Option } from './option-kinds.ts';
import { CERTIFICATE, type Environment, OPTIONS, type Options } from './options.ts';

/** Options that hold in every environment, and the options of each environment by its name. */
export interface ResourceApiProps extends Environment {
  readonly environments?: Readonly<Record<string, Environment>>;
}

/** Rules about combinations of options. Each has the message for a combination that breaks it. */
const RULES: readonly (readonly [fault: string, holds: (options: Options) => boolean])[] = [
  [
    'A local template is never deployed: remove account and region',
    ({ local, account, region }) => !local || !(account || region),
  ],
  [
    'issuer and audience belong together: give both or neither',
    (o) => (o.issuer === undefined) === (o.audience === undefined),
  ],
  [
    'jwksUri and scopePrefix describe an issuer: name it with issuer',
    (o) => o.issuer !== undefined || (o.jwksUri === undefined && o.scopePrefix === ''),
  ],
  [
    'signInClient is for the sign-in on pages: name its issuer, and let pages be true',
    (o) => (o.issuer !== undefined && o.pages) || o.signInClient === undefined,
  ],
  [
    'With auth=none no caller needs a token: remove issuer',
    (o) => o.auth === 'token' || o.issuer === undefined,
  ],
  [
    'authDomain names the user pool, which issuer and auth=none replace: remove authDomain',
    (o) => o.authDomain === undefined || (o.auth === 'token' && o.issuer === undefined),
  ],
  [
    'domainName and certificateArn belong together: give both or neither',
    (o) => (o.domainName === undefined) === (o.certificateArn === undefined),
  ],
  [
    'With edge, the API is at the root of its host: remove basePath',
    (o) => !o.edge || o.basePath === undefined,
  ],
  [
    'hostedZoneId is the zone of a host: name it with domainName',
    (o) => o.hostedZoneId === undefined || o.domainName !== undefined,
  ],
  [
    'monthlyBudget needs an alarmEmail, which gets the message',
    (o) => o.monthlyBudget === undefined || o.alarmEmail !== undefined,
  ],
  [
    'A canary deployment needs an alarm: with observability=none, deployment is all-at-once',
    (o) => o.observability !== 'none' || o.deployment === 'all-at-once' || o.local,
  ],
  [
    'program is a client of the user pool of the stack: with issuer or auth=none, there is no pool',
    (o) => o.program === 'none' || (o.issuer === undefined && o.auth === 'token'),
  ],
  [
    'addressRateLimit must be at least 300 × callerRateLimit: one caller may send as many requests in five minutes',
    (o) => o.addressRateLimit >= ADDRESS_SECONDS * o.callerRateLimit,
  ],
  ['A local template cannot have an edge: remove edge', (o) => !o.local || !o.edge],
  ['A local template has no pipeline: remove repository', (o) => !o.local || o.repository === undefined],
  [
    'The user pool needs an authDomain, because name has more than 50 characters, ends with - or has a reserved word',
    (o) =>
      o.local ||
      o.auth === 'none' ||
      o.issuer !== undefined ||
      o.authDomain !== undefined ||
      isDomainPrefix(o.name),
  ],
  ['authDomain must not contain aws, amazon or cognito', (o) => !RESERVED.test(o.authDomain ?? '')],
  [
    'certificateArn must be in the region of the stack; with edge, in us-east-1',
    ({ certificateArn, region, edge }) => {
      const home = edge ? 'us-east-1' : region;
      return !certificateArn || !home || CERTIFICATE.exec(certificateArn)?.[1] === home;
    },
  ],
  [
    'With data=destroy, the stack would delete what adoptedTables and adoptedBucket replace: use data=retain',
    (o) => (o.adoptedTables === undefined && o.adoptedBucket === undefined) || o.data === 'retain',
  ],
  ['name cannot be default: every account has an event bus of that name', (o) => o.name !== 'default'],
];

/**
 * True if the name, followed by the account, is a valid domain prefix. Source: Amazon Cognito Developer Guide, "Using
 * the Amazon Cognito domain".
 */
const isDomainPrefix = (name: string): boolean =>
  name.length <= 50 && !RESERVED.test(name) && !name.endsWith('-');
const RESERVED = /aws|amazon|cognito/i;

/** CDK's own context names have other forms: `@aws-cdk/…`, `aws:…`, `availability-zones:…`. */
const isOwn = (name: string): boolean => /^[A-Za-z]+$/.test(name);

/** Returns the options of the environment that the context names; no options without a name. */
function environmentOf(node: Node, environments: Readonly<Record<string, Environment>>): Environment {
  const name: unknown = node.tryGetContext('env');
  if (name === undefined) return {};
  const found = Object.hasOwn(environments, String(name)) ? environments[String(name)] : undefined;
  if (found) return found;
  const names = Object.keys(environments).join(' or ');
  throw new Error(
    names === ''
      ? `The context value env is '${name}', but the app has no environments`
      : `The context value env must be ${names}, not '${name}'`,
  );
}

/**
 * Reads the options: a value of the CDK context wins over the environment that the context names, and the environment
 * over the other given options.
 * @throws Error for an unknown option, an invalid value, or values that cannot be combined.
 */
export function readContext(node: Node, { environments = {}, ...given }: ResourceApiProps = {}): Options {
  const ofEnvironment = environmentOf(node, environments);
  const { variables: _, ...set }: Readonly<Record<string, unknown>> = { ...given, ...ofEnvironment };
  const named = [...Object.keys(node.getAllContext()).filter(isOwn), ...Object.keys(set)];
  const unknown = named.filter((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown.length > 0)
    throw new Error(`There is no option ${unknown.join(', ')}: docs/deploy.md lists all options`);
  const read = Object.entries<Option<unknown>>(OPTIONS).map(([name, option]) => {
    const wanted: unknown = node.tryGetContext(name) ?? set[name];
    if (wanted === undefined) return [name, option.otherwise];
    const value = option.read(String(wanted));
    if (value !== undefined) return [name, value];
    throw new Error(`The context value ${name} must be ${option.kind}, not '${wanted}'`);
  });
  const options = Object.fromEntries(read) as Options;
  for (const [fault, holds] of RULES) if (!holds(options)) throw new Error(fault);
  // A local template runs on this machine, which usually has an x86 processor.
  const architecture =
    node.tryGetContext('architecture') ?? (options.local ? 'x86_64' : options.architecture);
  return { ...options, architecture, variables: { ...given.variables, ...ofEnvironment.variables } };
}
