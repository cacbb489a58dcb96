import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { BROWSER, expectPagePolicy, formOf, headingOf } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { filled, formTo, Visitor } from '../../support/client/visitor.ts';
import { as, type Closed, closed } from '../../support/service/closed.ts';

/** The sign-in on pages, with the local issuer. Source: Specification 11.8 to 11.13. */
let service: Closed;

beforeAll(async () => {
  service = await closed();
}, 40_000);

const visitor = () => new Visitor(service.url);

describe('a browser without a token', () => {
  // Specification 11.8
  test.each(['/', '/members', '/members/new', '/members?limit=5&sort=-name', '/files/a%20b.txt', '/nowhere'])(
    'gets 303 to the sign-in for %s',
    async (path) => {
      const answer = await service.send('GET', path, { headers: BROWSER });
      expect(answer.status).toBe(303);
      const { pathname, searchParams } = new URL(answer.headers.location as string, service.url);
      expect(pathname).toBe('/sign-in');
      expect(new URL(searchParams.get('to') as string, service.url).href).toBe(
        new URL(path, service.url).href,
      );
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  test('gets 401 with a link to the sign-in for a form, which leads back to the page of the form', async () => {
    const seen = await visitor().open('/orders/1/pay', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: service.url },
      body: '',
    });
    expect(seen.status).toBe(401);
    expectPagePolicy(Object.fromEntries(seen.headers));
    expect(seen.text).toContain('<a class="button" href="/sign-in?to=%2Forders%2F1">Sign in again</a>');
    expect(seen.text).not.toContain('Perhaps');
  });

  test('gets 401 for methods that no form has', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await service.send(method, '/members/1', { headers: BROWSER, json: {} })).status).toBe(401);
  });
});

// Specification 11.8, 11.5
test.each([
  ['no Accept', {}],
  ['any type', { Accept: '*/*' }],
  ['JSON', { Accept: 'application/json' }],
  ['images', { Accept: 'image/avif,image/webp,*/*;q=0.8' }],
  ['a page, with a wrong Bearer token', { ...BROWSER, Authorization: 'Bearer wrong' }],
])('a client that accepts %s gets 401 with WWW-Authenticate', async (_, headers) => {
  const answer = await service.send('GET', '/members', { headers });
  expectProblem(answer, 401, 'unauthenticated');
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="api", resource_metadata=/);
});

describe('the sign-in', () => {
  // Specification 11.9
  test('continues at the issuer by authorization code with PKCE', async () => {
    const answer = await service.send('GET', '/sign-in?to=/members', { headers: BROWSER });
    expect(answer.status).toBe(303);
    const { searchParams } = new URL(answer.headers.location as string);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${service.url}/sign-in/callback`,
    });
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get('scope')).toContain('members:write');
    expect(searchParams.get('scope')).not.toContain('audit');
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-sign-in-[\w-]{43}=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  // Specification 11.10
  test('stores the token in a cookie of this host and returns to the page', async () => {
    const browser = visitor();
    const seen = await browser.signIn('ada', { to: '/members?limit=5' });
    expect([seen.status, seen.url.pathname + seen.url.search]).toEqual([200, '/members?limit=5']);
    expect(browser.cookies.get('__Host-access')).toMatchObject({ path: '/' });
    expect(browser.cookies.get('__Host-access')?.attributes).toMatch(
      /^Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('__Host-sign-in'))).toEqual([]);
  });

  test('returns to a list without its filters if their address is too long for a cookie', async () => {
    const seen = await visitor().signIn('ada', { to: `/members?name=${'x'.repeat(1600)}` });
    expect([seen.status, seen.url.pathname + seen.url.search]).toEqual([200, '/members']);
  });

  // Specification 11.11
  test('keeps the refresh token from every path but the sign-in', async () => {
    const browser = visitor();
    await browser.signIn('ada');
    expect(browser.cookies.get('__Secure-refresh')?.attributes).toBe(
      'Path=/sign-in; HttpOnly; Secure; SameSite=Lax',
    );
  });

  // Specification 11.11
  test('renews an expired token by the refresh token, without the issuer’s page', async () => {
    const browser = visitor();
    await browser.signIn('ada');
    const before = browser.cookies.get('__Host-access')?.value;
    browser.cookies.delete('__Host-access');
    const seen = await browser.open('/members');
    expect(seen.status).toBe(200);
    expect(seen.redirects).toEqual(['/sign-in?to=%2Fmembers', '/members']);
    expect(browser.cookies.get('__Host-access')?.value).not.toBe(before);
    expect(seen.text).toContain('Ada Byron');
  });

  test('renews in several tabs at the same time', async () => {
    const browser = visitor();
    await browser.signIn('ada');
    browser.cookies.delete('__Host-access');
    const tabs = await Promise.all(['/members', '/orders', '/files'].map((path) => browser.open(path)));
    expect(tabs.map(({ url }) => url.pathname)).toEqual(['/members', '/orders', '/files']);
  });

  // Specification 11.11
  test('goes to the issuer if the issuer refuses the refresh token', async () => {
    const browser = visitor();
    await browser.signIn('ada');
    browser.cookies.delete('__Host-access');
    const digest = createHash('sha256').update('forged').digest('base64url');
    browser.cookies.set('__Secure-refresh', { value: 'forged', path: '/sign-in', attributes: '' });
    browser.cookies.set('__Host-renewal', { value: digest, path: '/', attributes: '' });
    const seen = await browser.open('/members');
    expect(headingOf(seen.text)).toBe('Sign in');
    expect(seen.url.origin).not.toBe(service.url);
  });

  // Another host of the domain can replace a cookie without the prefix __Host-. RFC 6265 §8.6
  test('renews no token of another person', async () => {
    const [ada, bob] = [visitor(), visitor()];
    await ada.signIn('ada');
    await bob.signIn('bob');
    const replaced = bob.cookies.get('__Secure-refresh');
    if (replaced) ada.cookies.set('__Secure-refresh', replaced);
    ada.cookies.delete('__Host-access');
    const seen = await ada.open('/sign-in');
    expect(seen.url.origin).not.toBe(service.url);
    expect(ada.cookies.has('__Host-access')).toBe(false);
  });

  // RFC 6265 §5.2: a browser stores these cookies of another host, because the prefix is not at the start of the name.
  test.each(['x=1,', '\u00a0'])('takes no cookie from the text %j of another one', async (before) => {
    const [ada, bob] = [visitor(), visitor()];
    await ada.signIn('ada');
    await bob.signIn('bob');
    const cookieOf = ({ cookies }: Visitor) => `__Host-access=${cookies.get('__Host-access')?.value}`;
    const seen = await service.send('GET', '/', {
      headers: { ...BROWSER, Cookie: `${before}${cookieOf(bob)}; ${cookieOf(ada)}` },
    });
    expect(seen.text).toMatch(/Signed in as <strong>ada/);
    const alone = await service.send('GET', '/', {
      headers: { ...BROWSER, Cookie: `${before}${cookieOf(bob)}` },
    });
    expect(alone.status).toBe(303);
    const two = await service.send('GET', '/', {
      headers: { ...BROWSER, Cookie: `${cookieOf(bob)}; ${cookieOf(ada)}` },
    });
    expect(two.status).toBe(303);
  });

  test.each(['x=1,', '\u00a0'])(
    'ends only in the browser that began it, with %j before its cookie',
    async (before) => {
      const bob = visitor();
      const { redirects } = await bob.open('/sign-in');
      const state = new URL(redirects[0] as string).searchParams.get('state');
      const name = `__Host-sign-in-${state}`;
      const victim = await service.send('GET', `/sign-in/callback?code=x&state=${state}`, {
        headers: { ...BROWSER, Cookie: `${before}${name}=${bob.cookies.get(name)?.value}` },
      });
      expect(victim.text).toContain('This browser has not begun the sign-in');
    },
  );

  test('ends in each of two tabs, and once in each', async () => {
    const browser = visitor();
    const { redirects } = await browser.open('/members');
    await browser.signIn('ada', { to: '/orders' });
    const seen = await browser.signIn('ada', { to: redirects[1] as string });
    expect([seen.status, seen.url.pathname]).toEqual([200, '/members']);
    const callback = seen.redirects.find((address) => address.includes('/sign-in/callback?')) as string;
    expect((await browser.open(callback)).status).toBe(403);
  });

  test('stores a limited number of bytes for sign-ins that have no end', async () => {
    const browser = visitor();
    for (let tab = 0; tab < 12; tab += 1)
      await browser.open(`/sign-in?to=/files/${tab}${'x'.repeat(tab % 2 ? 1400 : 10)}`);
    const bytes = [...browser.cookies].reduce(
      (sum, [name, { value }]) => (name.startsWith('__') ? sum + name.length + value.length : sum),
      0,
    );
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThan(5000);
  });

  // Specification 11.10
  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    '/.//evil.example',
    '/%5c../..//evil.example',
    '/\t/evil.example',
    '/sign-in?to=/',
    '/sign-out',
  ])('refuses to continue at %s', async (to) => {
    const answer = await service.send('GET', `/sign-in?to=${encodeURIComponent(to)}`, { headers: BROWSER });
    expect(answer.status).toBe(400);
    expect(answer.headers.location).toBeUndefined();
  });

  test('refuses a response of the issuer that this browser has not requested', async () => {
    const other = visitor();
    const { redirects } = await other.open('/sign-in');
    const state = new URL(redirects[0] as string).searchParams.get('state');
    const victim = visitor();
    await victim.open('/sign-in');
    for (const query of [`code=x&state=${state}`, 'code=x&state=', 'code=x', '']) {
      const seen = await victim.open(`/sign-in/callback?${query}`);
      expect(seen.status).toBe(403);
      expect(seen.text).toContain('href="/sign-in?to=%2F"');
    }
    expect(victim.cookies.has('__Host-access')).toBe(false);
  });

  // RFC 9207 §2.4: the issuer says that its responses name it.
  test.each([
    ['a code that the issuer has not issued', 'refused the code', (iss: string) => `&code=forged&iss=${iss}`],
    ['a refusal of the issuer', 'has not signed you in', (iss: string) => `&error=access_denied&iss=${iss}`],
    ['a response of another issuer', 'another issuer', () => '&code=x&iss=https://evil.example'],
    ['a response that names no issuer', 'another issuer', () => '&code=x'],
  ])('refuses %s', async (_, reason, more) => {
    const browser = visitor();
    const { redirects } = await browser.open('/sign-in');
    const { origin, searchParams } = new URL(redirects[0] as string);
    const query = `state=${searchParams.get('state')}${more(encodeURIComponent(origin))}`;
    const seen = await browser.open(`/sign-in/callback?${query}`);
    expect(seen.status).toBe(403);
    expect(seen.text).toContain(reason);
  });
});

describe('a person who is signed in', () => {
  // Specification 11.13
  test('sees the own name and a button to sign out', async () => {
    const seen = await visitor().signIn('ada');
    expect(seen.text).toContain('Ada Byron');
    expect(formTo(seen.text, '/sign-out').method).toBe('post');
  });

  test('creates and edits a member by forms', async () => {
    const browser = visitor();
    const form = await browser.signIn('ada', { to: '/members/new' });
    const made = await browser.submit(form, formTo(form.text, '/members/new'), [['username', 'ada']]);
    expect(made.status).toBe(200);
    expect(made.url.pathname).toMatch(/^\/members\/\d+$/);
    const edit = await browser.open(`${made.url.pathname}/edit`);
    const editor = formTo(edit.text, `${made.url.pathname}/edit`);
    const changed = await browser.submit(edit, editor, filled(editor, { email: 'ada@example.com' }));
    expect([changed.status, changed.url.pathname]).toEqual([200, made.url.pathname]);
  });

  // Specification 11.12
  test('sees the images and files of pages', async () => {
    const browser = visitor();
    await browser.signIn('ada');
    const image = await browser.open('/products/1?fields=productImage', { headers: { Accept: 'image/*' } });
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  // Specification 11.13
  test('gets 403 with a page that names the missing scope', async () => {
    const browser = visitor();
    const seen = await browser.signIn('bob', { to: '/members', without: ['members:read'] });
    expect(seen.status).toBe(403);
    expect(seen.headers.get('content-type')).toContain('text/html');
    expectPagePolicy(Object.fromEntries(seen.headers));
    expect(seen.text).toContain('You may not see members. Ask');
    expect(seen.text).not.toContain('members:read');
    expect(seen.text).toContain('Bob Kahn');
    // The list above is this page, so the way back leads to the home page.
    expect(seen.text).toContain('<a class="button quiet" href="/">Back to Home</a>');
  });

  // Specification 11.13
  test('sees no action that the scopes do not allow', async () => {
    const writer = visitor();
    const form = await writer.signIn('ada', { to: '/members/new' });
    const { url } = await writer.submit(form, formTo(form.text, '/members/new'), [['username', 'eve']]);
    const reader = visitor();
    const list = await reader.signIn('bob', { to: '/members', without: ['members:write'] });
    expect(list.text).not.toContain('/members/new');
    const item = await reader.open(url.pathname);
    expect(item.status).toBe(200);
    expect(item.text).not.toMatch(/\/edit|\/delete/);
    expect((await reader.open('/')).text).not.toContain('href="/members/new"');
    expect((await writer.open('/')).text).toContain('href="/members/new"');
    for (const path of ['/members/new', `${url.pathname}/edit`, `${url.pathname}/delete`]) {
      const refused = await reader.open(path);
      expect([refused.status, refused.text.includes('You may not change members. Ask')]).toEqual([403, true]);
    }
    const own = await writer.open(url.pathname);
    expect(own.text).toContain(`${url.pathname}/edit`);
    expect(own.text).toContain(`${url.pathname}/delete`);
  });
});

// Specification 11.13
test('a page links only what the scopes let a person read', async () => {
  const browser = visitor();
  const home = await browser.signIn('bob', { to: '/', without: ['orders:read', 'add:read'] });
  expect(home.text).not.toMatch(/href="\/(?:orders|add)[?"]/);
  expect(home.text.match(/href="\/members\?sort=-id"/g)).toHaveLength(2);
});

describe('the documentation page', () => {
  // Specification 11.2
  test('is open to a browser without a token', async () => {
    const seen = await visitor().open('/docs');
    expect([seen.status, seen.redirects]).toEqual([200, []]);
  });

  test('is an address at which the sign-in continues', async () => {
    const browser = visitor();
    const seen = await browser.signIn('ada', { to: '/sign-in?to=%2Fdocs' });
    expect([seen.status, seen.url.pathname]).toEqual([200, '/docs']);
  });

  test('finds the name of the person in the home page', async () => {
    const { text } = await visitor().signIn('ada');
    expect(text).toMatch(/class="person"[^>]*>\s*<p>Signed in as <strong>Ada Byron<\/strong>/);
  });
});

describe('a form with an expired token', () => {
  // Specification 11.12
  test('gets 401 with the filled form and a link to sign in again, and can be sent again', async () => {
    const browser = visitor();
    const form = await browser.signIn('ada', { to: '/members/new' });
    const token = browser.cookies.get('__Host-access');
    browser.cookies.delete('__Host-access');
    const inputs = filled(formTo(form.text, '/members/new'), { username: 'late', age: 'old' });
    const again = await browser.submit(form, formTo(form.text, '/members/new'), inputs);
    expect(again.status).toBe(401);
    expect(headingOf(again.text)).toMatch(/sign in again/);
    const shown = formTo(again.text, '/members/new');
    expect(shown.inputs.get('username')).toBe('late');
    expect(shown.inputs.get('age')).toBe('old');
    expect(again.text).toContain('href="/sign-in?to=%2F"');
    if (token) browser.cookies.set('__Host-access', token);
    const made = await browser.submit(again, shown, filled(shown, { age: '36' }));
    expect([made.status, made.url.pathname.replace(/\d+/, '1')]).toEqual([200, '/members/1']);
  });

  test('shows nothing of the item to a browser without a token', async () => {
    const browser = visitor();
    const form = await browser.signIn('ada', { to: '/members/new' });
    const { url } = await browser.submit(form, formTo(form.text, '/members/new'), [
      ['username', 'secretive'],
    ]);
    const seen = await visitor().open(`${url.pathname}/edit`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: service.url },
      body: 'email=guess%40example.com',
    });
    expect(seen.status).toBe(401);
    expect(seen.text).toContain('guess@example.com');
    expect(seen.text).not.toContain('secretive');
  });
});

// Specification 3.8
test.each(['/', '/add', '/add?operand1=1&operand2=2', '/members', '/members/new', '/operations', '/nowhere'])(
  'no shared cache stores the page %s, which names the person',
  async (path) => {
    const browser = visitor();
    await browser.signIn('ada');
    const { headers, text } = await browser.open(path);
    expect(text).toContain('Signed in as');
    expect(headers.get('cache-control')).toMatch(/^(?:private, no-cache|no-store)$/);
  },
);

describe('a request that relies on the cookie', () => {
  const foreign = [
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'http://127.0.0.1:1' },
    { 'Sec-Fetch-Site': undefined, Origin: 'http://127.0.0.1:1' },
  ];

  // Specification 11.12
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'gets 403 if a page of another site sends a %s',
    async (method) => {
      const browser = visitor();
      await browser.signIn('ada');
      const Cookie = `__Host-access=${browser.cookies.get('__Host-access')?.value}`;
      for (const headers of foreign)
        expectProblem(
          await service.send(method, method === 'POST' ? '/members' : '/members/1', {
            headers: { ...headers, Cookie },
            ...(method === 'DELETE' ? {} : { json: { username: 'x' } }),
          }),
          403,
          'forbidden',
        );
    },
  );

  // The documentation page sends such requests when a person tries them out.
  test('has every method if a page of this service sends it', async () => {
    const browser = visitor();
    await browser.signIn('ada');
    const headers = {
      'Sec-Fetch-Site': 'same-origin',
      Origin: service.url,
      Cookie: `__Host-access=${browser.cookies.get('__Host-access')?.value}`,
    };
    const made = await service.send('POST', '/members', { headers, json: { username: 'tried' } });
    expect(made.status).toBe(201);
    const path = made.headers.location as string;
    const patch = { ...headers, 'Content-Type': 'application/merge-patch+json' };
    expect((await service.send('PUT', path, { headers, json: { username: 'put' } })).status).toBe(200);
    expect((await service.send('PATCH', path, { headers: patch, body: '{"age":3}' })).status).toBe(200);
    expect((await service.send('DELETE', path, { headers })).status).toBe(204);
  });

  test('reads JSON with the cookie, and a Bearer token wins over the cookie', async () => {
    const browser = visitor();
    await browser.signIn('ada');
    const Cookie = `__Host-access=${browser.cookies.get('__Host-access')?.value}`;
    expect((await service.send('GET', '/members', { headers: { Cookie } })).status).toBe(200);
    const orders = await service.issue('bob', 'orders:read');
    expect((await service.send('GET', '/members', { headers: { ...as(orders), Cookie } })).status).toBe(403);
    expect((await service.send('GET', '/members', { headers: { Cookie: 'access=x' } })).status).toBe(401);
  });
});

describe('the sign-out', () => {
  // Specification 11.11
  test('removes the cookies and ends the session of the issuer', async () => {
    const browser = visitor();
    const seen = await browser.signIn('ada');
    const out = await browser.submit(seen, formTo(seen.text, '/sign-out'), []);
    expect(out.status).toBe(200);
    expectPagePolicy(Object.fromEntries(out.headers));
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('__'))).toEqual([]);
    const [, issuer = ''] = /^0; url=(.*)$/.exec(out.headers.get('refresh') ?? '') ?? [];
    const question = await browser.open(issuer);
    expect(headingOf(question.text)).toBe('Sign out');
    const form = formOf(question.text);
    const ended = await browser.submit(question, form, [...form.inputs, ['logout', 'yes']]);
    expect(ended.url.href).toBe(`${service.url}/sign-out`);
    expect(headingOf(ended.text)).toBe('You are signed out');
    expect(browser.cookies.has('_session')).toBe(false);
  });

  test('refuses a form of another site, and GET keeps the cookies', async () => {
    const browser = visitor();
    const seen = await browser.signIn('ada');
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await browser.submit(seen, formTo(seen.text, '/sign-out'), [], foreign)).status).toBe(403);
    const kept = await browser.open('/sign-out');
    expect([kept.status, headingOf(kept.text)]).toEqual([200, 'You are signed in']);
    expect(browser.cookies.has('__Host-access')).toBe(true);
    await browser.submit(kept, formTo(kept.text, '/sign-out'), []);
    expect(browser.cookies.has('__Host-access')).toBe(false);
    expect(headingOf((await browser.open('/sign-out')).text)).toBe('You are signed out');
  });
});
