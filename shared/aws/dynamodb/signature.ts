import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** A key pair of AWS, with the session token of temporary credentials. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The part of AWS that a signature is valid for. */
export interface Scope {
  readonly region: string;
  readonly service: string;
}

/** The signed parts of a request without a query. The names of header fields are in lower case. */
interface Signable {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Returns the header fields of a request with `x-amz-date`, `authorization` and, for temporary credentials,
 * `x-amz-security-token`. The signature covers all of them. `at`: ms since the epoch.
 *
 * Source: AWS Identity and Access Management User Guide, "Create a signed AWS API request".
 */
export function signed(
  { method, path, headers, body }: Signable,
  credentials: Credentials,
  { region, service }: Scope,
  at: number,
): Record<string, string> {
  const date = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  const day = date.slice(0, 8);
  const all: Record<string, string> = { ...headers, 'x-amz-date': date };
  if (credentials.sessionToken) all['x-amz-security-token'] = credentials.sessionToken;
  const names = Object.keys(all).sort();
  const signedNames = names.join(';');
  const fields = names.map((name) => `${name}:${all[name]?.trim().replace(/ {2,}/g, ' ')}\n`).join('');
  const canonical = `${method}\n${path}\n\n${fields}\n${signedNames}\n${hash('sha256', body)}`;
  const scope = `${day}/${region}/${service}/aws4_request`;
  const signature = createHmac('sha256', signingKey(credentials.secretAccessKey, day, region, service))
    .update(`AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonical)}`)
    .digest('hex');
  all.authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`;
  return all;
}

/**
 * The last key, with the texts that it derives from. It changes once a day, and with the credentials. Node takes four
 * times as long for a digest with a Buffer as key.
 */
let last: { readonly from: string; readonly key: KeyObject } | undefined;

function signingKey(secret: string, ...parts: readonly string[]): KeyObject {
  const from = [secret, ...parts].join('\n');
  if (last?.from !== from) last = { from, key: createSecretKey(derived(secret, parts)) };
  return last.key;
}

const derived = (secret: string, parts: readonly string[]): Buffer =>
  [...parts, 'aws4_request'].reduce(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  );
