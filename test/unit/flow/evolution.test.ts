import { describe, expect, test } from '@jest/globals';
import { answer } from '../../../shared/flow/answer.ts';
import type { Request } from '../../../shared/http/request.ts';
import type { JsonObject } from '../../../shared/json/value.ts';
import { created, done, foundItem, listed, replaced } from '../../../shared/resource/actions/outcome.ts';
import { describe as described } from '../../../shared/resource/description/description.ts';
import { text } from '../../../shared/resource/description/fields.ts';
import type { Item } from '../../../shared/resource/item.ts';
import { resource } from '../../../shared/resource/resource.ts';
import { collection } from '../../../shared/resource/styles/collection.ts';

/**
 * The evolution of a resource. No resource of the service needs it yet. The test uses a supplier, whose one name
 * became two in version 2. Source: Specification 12.1, 12.2.
 */
const kept = new Map<number, Item>();
const keep = (id: number, values: JsonObject, version: number): Item => {
  const item = { id, version, createdAt: 0, updatedAt: 0, values, internal: {} };
  kept.set(id, item);
  return item;
};

const suppliers = resource({
  name: 'suppliers',
  title: 'Suppliers',
  about: 'Things.',
  description: described({ singular: 'supplier', fields: { name: text('Name') } }),
  validate: () => true,
  versions: [
    {
      version: 2,
      show: ({ name, ...others }) => {
        const [given = '', family = ''] = String(name).split(' ');
        return { ...others, givenName: given, familyName: family };
      },
      take: ({ givenName, familyName, ...others }) => ({ ...others, name: `${givenName} ${familyName}` }),
    },
  ],
  routes: () =>
    collection('/suppliers', {
      list: () => listed({ items: [...kept.values()] }),
      read: ({ id }) => foundItem(kept.get(id) as Item),
      create: ({ values = {} }) => created(keep(1, values, 1), '/suppliers/1'),
      replace: ({ values = {} }) => replaced(keep(1, values, 2), '/suppliers/1'),
      remove: () => done,
    }),
});

function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  json?: unknown,
): ReturnType<typeof answer> {
  const id = /\d+$/.exec(path)?.[0];
  const request: Request = {
    method,
    path,
    template: id ? '/suppliers/{id}' : path,
    parameters: id ? { id } : {},
    query: new Map(),
    headers,
    content: () => (json === undefined ? undefined : Buffer.from(JSON.stringify(json))),
    basePath: '/v',
    requestId: 'r',
    receivedAt: 0,
  };
  return answer(suppliers, request);
}

const V2 = 'application/json;version=2';
const JSON_TYPE = { 'content-type': 'application/json' };
const bodyOf = ({ body }: Awaited<ReturnType<typeof answer>>) => JSON.parse(String(body));

describe('versions by media type', () => {
  test('a client without a version gets the oldest', async () => {
    const made = await ask('POST', '/suppliers', JSON_TYPE, { name: 'Ada Byron' });
    expect(made.status).toBe(201);
    for (const headers of [
      {},
      { accept: 'application/json' },
      { accept: '*/*' },
      { accept: `${V2};q=0.5, */*` },
    ]) {
      const answered = await ask('GET', '/suppliers/1', headers as Record<string, string>);
      expect(bodyOf(answered)).toMatchObject({ name: 'Ada Byron' });
      expect(answered.headers['Content-Type']).toBe('application/json');
    }
    const first = await ask('GET', '/suppliers/1', { accept: 'application/json; version=1' });
    expect(first.headers['Content-Type']).toBe('application/json;version=1');
    expect(bodyOf(first).name).toBe('Ada Byron');
  });

  test('a client with another version gets it: items, lists and XML, each with its own ETag', async () => {
    await ask('POST', '/suppliers', JSON_TYPE, { name: 'Ada Byron' });
    const item = await ask('GET', '/suppliers/1', { accept: V2 });
    expect(item.headers).toMatchObject({
      'Content-Type': V2,
      ETag: '"1.1-json2"',
      Vary: 'Accept, Accept-Encoding',
    });
    expect(bodyOf(item)).toMatchObject({ id: 1, givenName: 'Ada', familyName: 'Byron' });
    expect(bodyOf(await ask('GET', '/suppliers', { accept: V2 })).items[0].familyName).toBe('Byron');
    const xml = await ask('GET', '/suppliers/1', { accept: 'application/xml;version=2' });
    expect(xml.body).toContain('<familyName>Byron</familyName>');
    expect((await ask('GET', '/suppliers/1', { accept: V2, 'if-none-match': '"1.1-json2"' })).status).toBe(
      304,
    );
    expect((await ask('GET', '/suppliers/1', { accept: V2, 'if-none-match': '"1.1-json"' })).status).toBe(
      200,
    );
  });

  test('a client may send another version, and its ETag works as a precondition of a write', async () => {
    await ask('POST', '/suppliers', JSON_TYPE, { name: 'Ada Byron' });
    const headers = { 'content-type': V2, 'if-match': '"1.1-json2"' };
    const saved = await ask('PUT', '/suppliers/1', headers, { givenName: 'Ada', familyName: 'Lovelace' });
    expect([saved.status, bodyOf(saved).name]).toEqual([200, 'Ada Lovelace']);
    expect((await ask('PUT', '/suppliers/1', headers, { givenName: 'A', familyName: 'B' })).status).toBe(412);
  });

  test('an unknown version gets 406 in Accept and 415 in Content-Type', async () => {
    const refused = await ask('GET', '/suppliers/1', { accept: 'application/json;version=3' });
    expect(refused.status).toBe(406);
    expect(bodyOf(refused).available).toContain(V2);
    const sent = await ask('POST', '/suppliers', { 'content-type': 'application/json;version=3' }, {});
    expect(sent.status).toBe(415);
  });
});
