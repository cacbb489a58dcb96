import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../support/problem.ts';
import { type Created, create, get, send, underTest, unique } from '../support/under-test.ts';

underTest();

/** What a resource has to be compared with. */
interface Validators {
  readonly etag: string;
  /** Absent: dates cannot be evaluated. */
  readonly modified: number | undefined;
}

type Kind = 'none' | 'any' | 'same' | 'weak' | 'other' | 'among' | 'invalid' | 'before' | 'equal' | 'after';
interface Conditions {
  readonly ifMatch: Kind;
  readonly ifUnmodifiedSince: Kind;
  readonly ifNoneMatch: Kind;
  readonly ifModifiedSince: Kind;
}

const tag = (kind: Kind, { etag }: Validators): string | undefined => {
  if (kind === 'none') return undefined;
  if (kind === 'any') return '*';
  if (kind === 'same') return etag;
  if (kind === 'weak') return `W/${etag}`;
  if (kind === 'among') return `"x", W/"y" ,${etag}`;
  return '"other", "a,b"';
};

const date = (kind: Kind, { modified = Date.now() }: Validators): string | undefined => {
  if (kind === 'none') return undefined;
  if (kind === 'invalid') return 'yesterday';
  const by = kind === 'before' ? -1000 : kind === 'after' ? 1000 : 0;
  return new Date(modified + by).toUTCString();
};

/** RFC 9110 §13.2.2, step by step, for a resource that exists: go on, 304 or 412. */
function oracle(safe: boolean, conditions: Conditions, { modified }: Validators): 'go on' | 304 | 412 {
  const { ifMatch, ifUnmodifiedSince, ifNoneMatch, ifModifiedSince } = conditions;
  // Steps 1 and 2: If-Match compares strongly; If-Unmodified-Since only without it, and only if there is a date.
  if (ifMatch !== 'none') {
    if (!['any', 'same', 'among'].includes(ifMatch)) return 412;
  } else if (ifUnmodifiedSince === 'before' && modified !== undefined) return 412;
  // Steps 3 and 4: If-None-Match compares weakly; If-Modified-Since only without it, for GET and HEAD.
  if (ifNoneMatch !== 'none') {
    if (ifNoneMatch !== 'other') return safe ? 304 : 412;
  } else if (safe && modified !== undefined && ['equal', 'after'].includes(ifModifiedSince)) return 304;
  return 'go on';
}

const headersOf = (conditions: Conditions, validators: Validators): Record<string, string> =>
  Object.fromEntries(
    (
      [
        ['If-Match', tag(conditions.ifMatch, validators)],
        ['If-Unmodified-Since', date(conditions.ifUnmodifiedSince, validators)],
        ['If-None-Match', tag(conditions.ifNoneMatch, validators)],
        ['If-Modified-Since', date(conditions.ifModifiedSince, validators)],
      ] as [string, string | undefined][]
    ).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

const TAGS: Kind[] = ['none', 'any', 'same', 'weak', 'other', 'among'];
const DATES: Kind[] = ['none', 'before', 'equal', 'after', 'invalid'];

const ALL: Conditions[] = TAGS.flatMap((ifMatch) =>
  DATES.flatMap((ifUnmodifiedSince) =>
    TAGS.flatMap((ifNoneMatch) =>
      DATES.map((ifModifiedSince) => ({ ifMatch, ifUnmodifiedSince, ifNoneMatch, ifModifiedSince })),
    ),
  ),
);

/** Every combination against the oracle; the difference, so that one failure shows them all. */
async function differences(
  method: string,
  expected: (conditions: Conditions) => number,
  request: (headers: Record<string, string>) => Promise<number>,
  validators: () => Validators,
  combinations = ALL,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const conditions of combinations) {
    const headers = headersOf(conditions, validators());
    const status = await request(headers);
    if (status !== expected(conditions)) {
      wrong.push(`${method} ${JSON.stringify(conditions)}: ${status}, not ${expected(conditions)}`);
    }
  }
  return wrong.slice(0, 10);
}

async function validatorsOf(path: string): Promise<Validators> {
  const { headers } = await get(path);
  const modified = headers['last-modified'];
  return { etag: headers.etag as string, modified: modified ? Date.parse(modified) : undefined };
}

describe('preconditions exactly as RFC 9110 §13.2, order and all', () => {
  const paths: Record<string, string> = {};
  beforeAll(async () => {
    paths.item = (await create('/members', { name: unique('condition') })).path;
    const customer = await create('/customers', { name: unique('condition') });
    paths.list = `${customer.path}/orders`;
    await create(paths.list, { productId: 1, orderValue: 5 });
    paths.file = `/files/${unique('condition')}`;
    await send('PUT', paths.file, { body: 'some bytes', headers: { 'Content-Type': 'text/plain' } });
    const product = await create('/products', { name: unique('condition') });
    paths.image = `${product.path}?fields=productImage`;
    await send('PUT', paths.image, { body: 'some bytes', headers: { 'Content-Type': 'image/png' } });
  });

  test.each(['item', 'list', 'file', 'image'])(
    'GET and HEAD of %s',
    async (name) => {
      const path = paths[name] as string;
      const validators = await validatorsOf(path);
      expect(validators.etag).toMatch(/^"/);
      for (const method of ['GET', 'HEAD']) {
        const combinations = ALL.filter((_, at) => at % (method === 'GET' ? 2 : 7) === 0);
        const wrong = await differences(
          method,
          (conditions) => {
            const verdict = oracle(true, conditions, validators);
            return verdict === 'go on' ? 200 : verdict;
          },
          async (headers) => (await send(method, path, { headers })).status,
          () => validators,
          combinations,
        );
        expect(wrong).toEqual([]);
      }
    },
    40_000,
  );

  // If-Modified-Since is no condition of a write.
  test.each([
    ['PUT', 'item', 200, 'application/json', '{"name":"again"}'],
    ['PATCH', 'item', 200, 'application/merge-patch+json', '{"name":"again"}'],
    ['PUT', 'file', 200, 'text/plain', 'other bytes'],
  ])(
    '%s of %s',
    async (method, name, success, type, body) => {
      const path = paths[name] as string;
      let validators = await validatorsOf(path);
      const wrong = await differences(
        method,
        (conditions) => (oracle(false, conditions, validators) === 412 ? 412 : success),
        async (headers) => {
          const { status } = await send(method, path, {
            body,
            headers: { 'Content-Type': type, ...headers },
          });
          return status;
        },
        () => validators,
        ALL.filter((_, at) => at % 5 === 0).filter((one) => {
          // A write that succeeds moves the validators on: those are looked at below, one by one.
          return oracle(false, one, validators) === 412;
        }),
      );
      expect(wrong).toEqual([]);
      for (const one of ALL.filter((each) => oracle(false, each, validators) === 'go on').filter(
        (_, at) => at % 4 === 0,
      )) {
        validators = await validatorsOf(path);
        const headers = { 'Content-Type': type, ...headersOf(one, validators) };
        const answer = await send(method, path, { body, headers });
        expect({ one, status: answer.status }).toEqual({ one, status: success });
      }
    },
    40_000,
  );

  test.each(['/members', '/files'])(
    'DELETE of what is below %s',
    async (collection) => {
      const fresh = async () => {
        if (collection === '/members') return (await create(collection, { name: 'x' })).path;
        const path = `/files/${unique('delete')}`;
        expect((await send('PUT', path, { body: 'x' })).status).toBe(201);
        return path;
      };
      let path = await fresh();
      let validators = await validatorsOf(path);
      for (const one of ALL.filter((_, at) => at % 11 === 0)) {
        const expected = oracle(false, one, validators) === 412 ? 412 : 204;
        const answer = await send('DELETE', path, { headers: headersOf(one, validators) });
        expect({ one, status: answer.status }).toEqual({ one, status: expected });
        expect((await get(path)).status).toBe(expected === 412 ? 200 : 404);
        if (expected === 204) {
          path = await fresh();
          validators = await validatorsOf(path);
        }
      }
    },
    40_000,
  );
});

describe('what the answers carry', () => {
  // RFC 9110 §15.4.5: the header fields a 200 would have had that caches need; no content.
  test('304 has ETag, Cache-Control, Vary and no body', async () => {
    const { path } = await create('/members', { name: unique('304') });
    const full = await get(path);
    const answer = await get(path, { 'If-None-Match': full.headers.etag });
    expect(answer.status).toBe(304);
    expect(answer.bytes.length).toBe(0);
    for (const name of ['etag', 'cache-control', 'vary']) {
      expect(answer.headers[name]).toBe(full.headers[name]);
    }
  });

  // "412 carries the current ETag."
  test.each(['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD'])(
    '412 to %s carries the current ETag',
    async (method) => {
      const { path, etag } = await create('/members', { name: unique('412') });
      const answer = await send(method, path, {
        ...(method === 'PUT' || method === 'PATCH' ? { body: '{"name":"x"}' } : {}),
        headers: {
          'If-Match': '"other"',
          ...(method === 'PUT' ? { 'Content-Type': 'application/json' } : {}),
          ...(method === 'PATCH' ? { 'Content-Type': 'application/merge-patch+json' } : {}),
        },
      });
      expectProblem(answer, 412);
      expect(answer.headers.etag).toBe(etag);
      expect((await get(path)).headers.etag).toBe(etag);
    },
  );

  test('412 to the write of a file carries the current ETag', async () => {
    const path = `/files/${unique('412')}`;
    const { headers } = await send('PUT', path, { body: 'x' });
    for (const method of ['PUT', 'DELETE']) {
      const answer = await send(method, path, {
        headers: { 'If-Match': '"other"' },
        ...(method === 'PUT' ? { body: 'y' } : {}),
      });
      expectProblem(answer, 412);
      expect(answer.headers.etag).toBe(headers.etag);
    }
    expect((await get(path)).text).toBe('x');
  });

  // "from a version number that each change increases"
  test('each change changes the ETag; a PATCH that changes nothing keeps it', async () => {
    const { path, etag } = await create('/members', { name: 'a', tags: [1] });
    const seen = new Set([etag]);
    for (const name of ['b', 'c', 'a']) {
      const { headers } = await send('PUT', path, { json: { name } });
      seen.add(headers.etag as string);
    }
    expect(seen.size).toBe(4);
    const before = await get(path);
    for (const [type, body] of [
      ['application/merge-patch+json', '{}'],
      ['application/merge-patch+json', '{"name":"a"}'],
      ['application/json-patch+json', '[]'],
      ['application/json-patch+json', '[{"op":"test","path":"/name","value":"a"}]'],
      ['application/json-patch+json', '[{"op":"replace","path":"/name","value":"a"}]'],
    ] as const) {
      const answer = await send('PATCH', path, { body, headers: { 'Content-Type': type } });
      expect({ body, status: answer.status }).toEqual({ body, status: 200 });
      expect(answer.headers.etag).toBe(before.headers.etag);
    }
    expect((await get(path)).json()).toEqual(before.json());
  });

  test('the ETag of a list changes with what the page shows', async () => {
    const { path } = await create('/customers', { name: unique('list') });
    const etag = async (query = '') => (await get(`${path}/orders${query}`)).headers.etag as string;
    const first = await etag();
    const order = await create(`${path}/orders`, { productId: 1, orderValue: 1 });
    const second = await etag();
    const values = { ...order.answer.json(), quantity: 7 };
    expect((await send('PUT', order.path, { json: values })).status).toBe(200);
    const third = await etag();
    await send('DELETE', order.path);
    const tags = [first, second, third];
    expect(new Set(tags).size).toBe(3);
    expect(await etag()).toBe(first);
  });
});

describe('ignored where the answer would not be 2xx or 412 anyway', () => {
  const fail = { 'If-Match': '"other"', 'If-None-Match': '*' };
  // "DELETE or PUT of a missing member → 404, with or without If-Match"
  test.each([{ 'If-Match': '*' }, { 'If-Match': '"x"' }, { 'If-None-Match': '*' }, fail])(
    'a missing member → 404 with %j',
    async (headers) => {
      for (const method of ['GET', 'HEAD', 'DELETE']) {
        expectProblem(await send(method, '/members/1', { headers }), 404);
      }
      expectProblem(await send('PUT', '/members/1', { json: { name: 'x' }, headers }), 404);
    },
  );

  // "a missing file with If-Match → 412". Of DELETE, whose answer without it is 404, both are said.
  test('a missing file with If-Match → 412', async () => {
    for (const value of ['*', '"x"']) {
      const path = `/files/${unique('missing')}`;
      const headers = { 'If-Match': value };
      expectProblem(await send('PUT', path, { body: 'x', headers }), 412);
      const removal = await send('DELETE', path, { headers });
      expectProblem(removal, removal.status === 412 ? 412 : 404);
      expectProblem(await get(path, headers), 404);
    }
  });

  test('a missing file with If-None-Match: * is created, once', async () => {
    const path = `/files/${unique('once')}`;
    const headers = { 'If-None-Match': '*' };
    expect((await send('PUT', path, { body: 'a', headers })).status).toBe(201);
    expectProblem(await send('PUT', path, { body: 'b', headers }), 412);
    expect((await get(path)).text).toBe('a');
  });

  test.each([
    ['405', 'POST', '/customers/{id}', 'application/json', 405],
    ['415', 'PUT', '/customers/{id}', 'text/nonsense', 415],
    ['an unknown query parameter', 'PUT', '/customers/{id}?x=1', 'application/json', 400],
    ['an unknown query parameter', 'DELETE', '/customers/{id}?x=1', undefined, 400],
    ['an unacceptable answer', 'GET', '/customers/{id}', undefined, 406],
  ] as const)('%s goes before the preconditions', async (_, method, template, type, status) => {
    const { id } = await create('/customers', { name: unique('before') });
    const answer = await send(method, template.replace('{id}', String(id)), {
      headers: {
        ...fail,
        ...(type ? { 'Content-Type': type } : {}),
        ...(status === 406 ? { Accept: 'image/png' } : {}),
      },
      ...(type ? { body: '{"name":"x"}' } : {}),
    });
    expectProblem(answer, status);
  });

  // "prior to processing the request content": a body that is no JSON may be found before or after.
  test('a malformed body with a failing condition: 400 or 412, and no change', async () => {
    const { path, etag } = await create('/members', { name: unique('malformed') });
    const headers = { 'If-Match': '"other"', 'Content-Type': 'application/json' };
    const answer = await send('PUT', path, { body: '{', headers });
    expectProblem(answer, answer.status === 412 ? 412 : 400);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // A field value that is no list of entity tags is refused, or is a condition that fails; never let through.
  test.each(['x', '"unclosed', 'W/x', ',', '', '*, "x"'])('If-Match: %s is no pass', async (value) => {
    const { path, etag } = await create('/members', { name: unique('invalid') });
    const answer = await send('PUT', path, { json: { name: 'x' }, headers: { 'If-Match': value } });
    expectProblem(answer, answer.status === 400 ? 400 : 412);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // Several field lines are one list.
  test('If-Match on two lines is one list', async () => {
    const { path, etag } = await create('/members', { name: unique('lines') });
    const headers = { 'If-Match': ['"x"', etag] };
    expect((await send('PUT', path, { json: { name: 'x' }, headers })).status).toBe(200);
  });

  // RFC 850 and asctime dates are HTTP-dates too.
  test('all three forms of dates', async () => {
    const { path } = await create('/members', { name: unique('dates') });
    for (const value of [
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
      'Sun, 06 Nov 1994 08:49:37 GMT',
    ]) {
      expect((await get(path, { 'If-Unmodified-Since': value })).status).toBe(412);
    }
  });
});

describe('of N racing conditional writes exactly one wins', () => {
  const N = 12;
  const race = async (request: (at: number) => Promise<{ status: number }>) =>
    (await Promise.all(Array.from({ length: N }, (_, at) => request(at)))).map(({ status }) => status).sort();
  const statuses = (won: number) => [won, ...Array(N - 1).fill(412)].sort();
  const withTag = ({ etag }: Created, type = 'application/json') => ({
    'If-Match': etag,
    'Content-Type': type,
  });

  test('PUT of a member', async () => {
    const member = await create('/members', { name: unique('race') });
    const outcome = await race((at) =>
      send('PUT', member.path, { json: { name: `n${at}` }, headers: withTag(member) }),
    );
    expect(outcome).toEqual(statuses(200));
  });

  test('PATCH of a member', async () => {
    const member = await create('/members', { name: unique('race') });
    const headers = withTag(member, 'application/merge-patch+json');
    const outcome = await race((at) => send('PATCH', member.path, { json: { name: `n${at}` }, headers }));
    expect(outcome).toEqual(statuses(200));
  });

  test('PATCH of an order', async () => {
    const order = await create('/orders', { productId: 1, orderValue: 3 });
    const headers = withTag(order, 'application/merge-patch+json');
    const outcome = await race((at) => send('PATCH', order.path, { json: { quantity: at + 2 }, headers }));
    expect(outcome).toEqual(statuses(200));
  });

  // The losers find nothing (404) or another state (412).
  test('DELETE of a member: one 204', async () => {
    const member = await create('/members', { name: unique('race') });
    const outcome = await race(() => send('DELETE', member.path, { headers: { 'If-Match': member.etag } }));
    expect(outcome.filter((status) => status === 204)).toHaveLength(1);
    expect(outcome.filter((status) => ![204, 404, 412].includes(status))).toEqual([]);
  });

  test('DELETE without conditions: one 204, the others 404', async () => {
    const member = await create('/members', { name: unique('race') });
    const outcome = await race(() => send('DELETE', member.path));
    expect(outcome).toEqual([204, ...Array(N - 1).fill(404)]);
  });

  test('PUT of a new file with If-None-Match: *', async () => {
    const path = `/files/${unique('race')}`;
    const bodies = Array.from({ length: N }, (_, at) => `body ${at}`);
    const answers = await Promise.all(
      bodies.map((body) => send('PUT', path, { body, headers: { 'If-None-Match': '*' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(statuses(201));
    const winner = answers.findIndex(({ status }) => status === 201);
    expect((await get(path)).text).toBe(bodies[winner]);
  });

  test('PUT of a file with If-Match', async () => {
    const path = `/files/${unique('race')}`;
    const etag = (await send('PUT', path, { body: 'first' })).headers.etag as string;
    const outcome = await race((at) => send('PUT', path, { body: `b${at}`, headers: { 'If-Match': etag } }));
    expect(outcome).toEqual(statuses(200));
  });

  // A PATCH is atomic also without a condition: what was answered 200 is not lost.
  test('PATCHes that race without conditions lose nothing', async () => {
    const member = await create('/members', { counters: {} });
    const answers = await Promise.all(
      Array.from({ length: N }, (_, at) =>
        send('PATCH', member.path, {
          json: [{ op: 'add', path: `/counters/n${at}`, value: at }],
          headers: { 'Content-Type': 'application/json-patch+json' },
        }),
      ),
    );
    const accepted = answers.flatMap(({ status }, at) => (status === 200 ? [`n${at}`] : []));
    expect(answers.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(0);
    const { counters } = (await get(member.path)).json();
    expect(Object.keys(counters as object).sort()).toEqual(accepted.sort());
  });
});
