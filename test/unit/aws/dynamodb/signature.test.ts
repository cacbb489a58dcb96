import { expect, test } from '@jest/globals';
import { signed } from '../../../../shared/aws/dynamodb/signature.ts';

const CREDENTIALS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const SCOPE = { region: 'us-east-1', service: 'service' };
const AT = Date.UTC(2015, 7, 30, 12, 36, 0);
const host = 'example.amazonaws.com';
const DATE = 'x-amz-date';

/** Test cases of AWS's "Signature Version 4 test suite", those without a query. */
const CASES: readonly {
  name: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  names: string;
  signature: string;
}[] = [
  {
    name: 'get-vanilla',
    names: `host;${DATE}`,
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  {
    name: 'get-unreserved',
    path: '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    names: `host;${DATE}`,
    signature: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  },
  {
    name: 'get-header-value-trim',
    headers: { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' },
    names: `host;my-header1;my-header2;${DATE}`,
    signature: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  },
  {
    name: 'get-header-key-duplicate',
    headers: { 'my-header1': 'value2,value2,value1' },
    names: `host;my-header1;${DATE}`,
    signature: 'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  },
  {
    name: 'post-vanilla',
    method: 'POST',
    names: `host;${DATE}`,
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    name: 'post-header-key-sort',
    method: 'POST',
    headers: { 'my-header1': 'value1' },
    names: `host;my-header1;${DATE}`,
    signature: 'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  },
  {
    name: 'post-header-value-case',
    method: 'POST',
    headers: { 'my-header1': 'VALUE1' },
    names: `host;my-header1;${DATE}`,
    signature: 'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  },
  {
    name: 'post-x-www-form-urlencoded',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'Param1=value1',
    names: `content-type;host;${DATE}`,
    signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
  {
    name: 'post-x-www-form-urlencoded-parameters',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf8' },
    body: 'Param1=value1',
    names: `content-type;host;${DATE}`,
    signature: '1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe',
  },
];

test.each(CASES)('the signature of $name is the one that AWS published', (one) => {
  const { method = 'GET', path = '/', headers = {}, body = '', names, signature } = one;
  const request = { method, path, headers: { ...headers, host }, body };
  expect(signed(request, CREDENTIALS, SCOPE, AT)).toEqual({
    ...request.headers,
    [DATE]: '20150830T123600Z',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
  });
});

test('the signature of post-sts-header-before covers the session token', () => {
  const sessionToken =
    'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';
  const request = { method: 'POST', path: '/', headers: { host }, body: '' };
  const headers = signed(request, { ...CREDENTIALS, sessionToken }, SCOPE, AT);
  expect(headers['x-amz-security-token']).toBe(sessionToken);
  expect(headers.authorization).toMatch(
    /SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead$/,
  );
});

test('a signature has its own key for each day and each secret', () => {
  const request = { method: 'GET', path: '/', headers: { host }, body: '' };
  const first = signed(request, CREDENTIALS, SCOPE, AT);
  const others = [
    signed(request, CREDENTIALS, SCOPE, AT + 86_400_000),
    signed(request, { ...CREDENTIALS, secretAccessKey: 'another' }, SCOPE, AT),
    signed(request, CREDENTIALS, { ...SCOPE, region: 'eu-west-1' }, AT),
  ];
  for (const other of others) expect(other.authorization).not.toBe(first.authorization);
  expect(signed(request, CREDENTIALS, SCOPE, AT)).toEqual(first);
});
