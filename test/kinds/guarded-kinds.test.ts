import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client/client.ts';
import { MERGE_PATCH } from '../support/client/patches.ts';
import { expectProblem } from '../support/client/problem.ts';
import { type Closed, clientAs, closed } from '../support/service/closed.ts';
import { withFixture } from '../support/service/with-fixture.ts';
import { ROWS } from './rows.ts';

/*
 * Seals have a field of each kind, which few callers see and set (decision 57). `ada` has all scopes. `eve` sees the
 * fields, and `bob` does not.
 */
let service: Closed;
const PATHS = 'seals:read seals:write';
let ada: Client;
let eve: Client;
let bob: Client;

beforeAll(async () => {
  service = await closed(withFixture('guarded'));
  ada = await clientAs(service, 'ada', `${PATHS} seals:see seals:set`);
  eve = await clientAs(service, 'bob', `${PATHS} seals:see`);
  bob = await clientAs(service, 'bob', PATHS);
}, 40_000);

const XML = { 'Content-Type': 'application/xml' };

describe.each(ROWS)('the field $field with scopes', ({ field, json, later, shown = json }) => {
  const made = async (): Promise<string> => {
    const answer = await ada('POST', '/seals', { json: { [field]: json } });
    expect(answer.status).toBe(201);
    return answer.headers.location as string;
  };
  const stored = async (path: string) => (await ada('GET', path)).json()[field];

  test('is in no format of a caller who cannot see it', async () => {
    const path = await made();
    expect(await stored(path)).toEqual(shown);
    expect(Object.keys((await bob('GET', path)).json())).toEqual(['id', 'createdAt', 'updatedAt', 'links']);
    const xml = await bob('GET', path, { headers: { Accept: 'application/xml' } });
    expect(xml.text).not.toContain(`<${field}>`);
    const csv = await bob('GET', '/seals', { headers: { Accept: 'text/csv' } });
    expect(csv.text.split('\r\n')[0]).toBe('id,createdAt,updatedAt');
  });

  test('keeps its value in a PUT of a caller who cannot see it', async () => {
    const path = await made();
    const { text: body } = await bob('GET', path);
    const headers = { 'Content-Type': 'application/json' };
    expect((await bob('PUT', path, { body, headers })).status).toBe(200);
    expect(await stored(path)).toEqual(shown);
  });

  test('can be sent back in JSON and XML by a caller who cannot set it', async () => {
    const path = await made();
    const { text } = await eve('GET', path);
    const back = await eve('PUT', path, { body: text, headers: { 'Content-Type': 'application/json' } });
    expect(back.status).toBe(200);
    const xml = await eve('GET', path, { headers: { Accept: 'application/xml' } });
    expect((await eve('PUT', path, { body: xml.text, headers: XML })).status).toBe(200);
    expect(await stored(path)).toEqual(shown);
  });

  test('gets 403 for another value of a caller who cannot set it', async () => {
    const path = await made();
    const errors = [{ pointer: `/${field}`, detail: 'needs the scope seals:set' }];
    for (const answer of [
      await eve('PUT', path, { json: { [field]: later } }),
      await eve('PATCH', path, { json: { [field]: later }, headers: MERGE_PATCH }),
      await eve('PATCH', path, { json: { [field]: null }, headers: MERGE_PATCH }),
      await bob('PUT', path, { json: { [field]: later } }),
      await bob('POST', '/seals', { json: { [field]: json } }),
    ]) {
      expectProblem(answer, 403, 'forbidden');
      expect(answer.json().errors).toEqual(errors);
    }
    expect(await stored(path)).toEqual(shown);
  });
});
