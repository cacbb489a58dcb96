/** What MiniStack lacks, and what the templates have in its place. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A value of a template: JSON. */
type Value = Readonly<Record<string, unknown>>;

/** A part of a template that MiniStack cannot do. Both functions return a value as it is if they do not mean it. */
interface Lack {
  /** The type of a resource, or the words of the template. */
  readonly part: string;
  readonly instead: string;
  readonly reason: string;
  /** Returns a value of the template as MiniStack can read it. `url`: where MiniStack is. */
  readonly change?: (value: Value, url: string) => Value;
}

const join_ = (...parts: readonly unknown[]): Value => ({ 'Fn::Join': ['', parts] });
const isValue = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ANY = 'x-amazon-apigateway-any-method';
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/** docs/rehearsal.md has this list, and a test holds both equal. An entry without a change removes resources of the type. */
export const LACKS: readonly Lack[] = [
  {
    part: 'AWS::Cognito::ManagedLoginBranding',
    instead: '–',
    reason: 'it knows no such type',
  },
  {
    part: 'Custom::CDKBucketDeployment',
    instead: '–',
    reason: 'the function needs Python and the AWS CLI in a layer; the site does not reach the bucket',
  },
  {
    part: '`api_key` of a method',
    instead: '–',
    reason: 'it takes a key from the request alone, and not from the authorizer',
    change: (value) => {
      const { security } = value;
      if (!Array.isArray(security)) return value;
      return { ...value, security: security.filter((one) => !('api_key' in one)) };
    },
  },
  {
    part: 'ProviderURL',
    instead: 'the address that its tokens name as `iss`',
    reason: 'its user pools do not have this attribute',
    change: (value) => {
      const [id, attribute] = [value['Fn::GetAtt']].flat();
      if (attribute !== 'ProviderURL') return value;
      return join_('https://cognito-idp.', { Ref: 'AWS::Region' }, '.amazonaws.com/', { Ref: id });
    },
  },
  {
    part: '`ISSUER` of a function',
    instead: 'also `JWKS_URI`, an address of MiniStack',
    reason: 'the address of the issuer is one of AWS',
    change: (value, url) => {
      const parts = isValue(value.ISSUER) ? [value.ISSUER['Fn::Join']].flat(2) : [];
      const pool = parts.at(-1);
      return isValue(pool) ? { ...value, JWKS_URI: join_(url, '/', pool, '/.well-known/jwks.json') } : value;
    },
  },
  {
    part: ANY,
    instead: 'GET, HEAD, POST, PUT, PATCH and DELETE',
    reason: 'it imports the methods of OpenAPI alone',
    change: ({ [ANY]: any, ...others }) =>
      any === undefined ? others : { ...Object.fromEntries(METHODS.map((one) => [one, any])), ...others },
  },
  {
    part: '`AWS_ENDPOINT_URL_S3` of a function',
    instead: 'its address',
    reason: 'buckets are in the path then: no name server knows the hosts of buckets',
    change: (value, url) => ('AWS_ENDPOINT_URL_S3' in value ? { ...value, AWS_ENDPOINT_URL_S3: url } : value),
  },
];

const REMOVED = LACKS.filter(({ change }) => change === undefined).map(({ part }) => part);
const CHANGES = LACKS.flatMap(({ change }) => (change === undefined ? [] : [change]));

/** Returns a template as MiniStack can deploy it. `url`: where MiniStack is. */
export function adapted(template: string, url: string): string {
  const all: { Resources: Record<string, { Type: string; DependsOn?: string | string[] }> } = JSON.parse(
    template,
    (_, value: unknown) =>
      isValue(value) ? CHANGES.reduce((changed, change) => change(changed, url), value) : value,
  );
  const gone = Object.entries(all.Resources).flatMap(([id, { Type }]) =>
    REMOVED.includes(Type) ? [id] : [],
  );
  for (const id of gone) delete all.Resources[id];
  for (const resource of Object.values(all.Resources))
    if (resource.DependsOn)
      resource.DependsOn = [resource.DependsOn].flat().filter((one) => !gone.includes(one));
  return JSON.stringify(all);
}

/** Returns the table of docs/rehearsal.md. */
export const lacksTable = (): string =>
  [
    '| part of the template | instead | because |',
    '|---|---|---|',
    ...LACKS.map(
      ({ part, instead, reason }) =>
        `| ${part.includes('`') ? part : `\`${part}\``} | ${instead} | ${reason} |`,
    ),
  ].join('\n');

/** Adapts the templates of a synthesis in their places. */
export function adapt(directory: string, url: string): void {
  for (const name of readdirSync(directory).filter((one) => one.endsWith('.template.json'))) {
    const path = join(directory, name);
    writeFileSync(path, adapted(readFileSync(path, 'utf8'), url));
  }
}
