import { beforeEach, expect, test } from '@jest/globals';
import { compareBucket } from '../../../tools/data/restore/bucket.ts';
import { attached } from '../../engines/attached.ts';

/** What each bucket has, by the name of a part in the query of the request. The embedded engines know few of them. */
const buckets = new Map<string, Map<string, string>>();
/** The parts that a bucket answers with an empty body if it has none. The others get 404. */
const NEVER_MISSING: Readonly<Record<string, string>> = {
  versioning: '<VersioningConfiguration/>',
  notification: '<NotificationConfiguration/>',
};
const PARTS = ['versioning', 'lifecycle', 'cors', 'notification', 'publicAccessBlock', 'policy'];

attached(async (call, pass) => {
  const [{ method, headers, query = {}, body }] = call;
  const name = headers.host?.split('.')[0] ?? '';
  const kind = PARTS.find((one) => one in query);
  const parts = buckets.get(name);
  const answer = (statusCode: number, text: string) => ({
    response: { statusCode, headers: {}, body: Buffer.from(text) },
  });
  const fault = (code: string) => answer(404, `<Error><Code>${code}</Code><Message>none</Message></Error>`);
  if (kind === undefined || !name.startsWith('shop-')) return pass(...call);
  if (!parts) return fault('NoSuchBucket');
  if (method === 'PUT') {
    parts.set(kind, String(body));
    return answer(200, '');
  }
  const stored = parts.get(kind) ?? NEVER_MISSING[kind];
  return stored === undefined ? fault(`NoSuch${kind}`) : answer(200, stored);
});

const rule = (days: number) =>
  `<LifecycleConfiguration><Rule><ID>inputs</ID><Filter><Prefix>operations/</Prefix></Filter><Status>Enabled</Status>` +
  `<Expiration><Days>${days}</Days></Expiration></Rule></LifecycleConfiguration>`;
const policyOf = (bucket: string) =>
  JSON.stringify({
    Statement: [
      {
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:*',
        Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ],
  });

/** What a stack gives to its bucket. */
const partsOf = (bucket: string) =>
  new Map([
    ['versioning', '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'],
    ['lifecycle', rule(8)],
    [
      'cors',
      '<CORSConfiguration><CORSRule><AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin></CORSRule></CORSConfiguration>',
    ],
    [
      'notification',
      '<NotificationConfiguration><QueueConfiguration><Id>files</Id><Queue>arn:aws:sqs:us-east-1:000000000000:q</Queue>' +
        '<Event>s3:ObjectCreated:*</Event></QueueConfiguration></NotificationConfiguration>',
    ],
    [
      'publicAccessBlock',
      '<PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls></PublicAccessBlockConfiguration>',
    ],
    ['policy', policyOf(bucket)],
  ]);

beforeEach(() => {
  process.env.BUCKET = 'shop-objects';
  buckets.clear();
  buckets.set('shop-objects', partsOf('shop-objects')).set('shop-copy', new Map());
});

const compared = async (name: string, set = false) => {
  const lines: string[] = [];
  return { left: await compareBucket({ name, set }, (line) => lines.push(line)), lines };
};

test('a bucket without configuration lacks all that the stack gives, and nothing of it is set unasked', async () => {
  const { left, lines } = await compared('shop-copy');
  expect(left).toBe(6);
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    ...['versions', 'lifecycle', 'CORS', 'notifications', 'public access', 'policy'],
    '6 parts differ from shop-objects',
  ]);
  expect(buckets.get('shop-copy')?.size).toBe(0);
});

test('--set copies each difference, with the name of the bucket in its policy', async () => {
  buckets.get('shop-copy')?.set('lifecycle', rule(3));
  const { left, lines } = await compared('shop-copy', true);
  expect(left).toBe(0);
  expect(lines).toHaveLength(7);
  expect(lines.at(-1)).toContain('-c adoptedBucket=shop-copy');
  expect(buckets.get('shop-copy')?.get('policy')).toBe(policyOf('shop-copy'));
  expect(buckets.get('shop-copy')?.get('lifecycle')).toContain('<Days>8</Days>');
  expect(buckets.get('shop-copy')?.get('notification')).toContain('arn:aws:sqs:us-east-1:000000000000:q');
  expect(await compared('shop-copy')).toEqual({ left: 0, lines: [lines.at(-1)] });
});

test('only what differs is copied', async () => {
  buckets.set('shop-copy', partsOf('shop-copy').set('lifecycle', rule(3)));
  const { left, lines } = await compared('shop-copy');
  expect(left).toBe(1);
  expect(lines[0]).toMatch(/^lifecycle: .*"Days":3.* instead of .*"Days":8/);
});

test('a bucket in use and a missing one are refused with a sentence', async () => {
  await expect(compared('shop-objects')).rejects.toThrow('use shop-objects already');
  await expect(compared('shop-none')).rejects.toThrow('S3 refuses a request of shop-none');
});
