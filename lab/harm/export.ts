import { createHash } from 'node:crypto';
import type { Client } from '../../test/support/client/client.ts';

/** The state of each item and file by its path, as JSON text. */
export type Exported = ReadonlyMap<string, string>;

/** The collections with items, and the binary property of each. */
const COLLECTIONS = { members: 'photo', customers: undefined, products: 'productImage', orders: undefined };

/** What each change of an item alters, also one that is taken back. */
const VOLATILE = ['version', 'updatedAt', 'updatedBy', 'links'];

/** Reads all items and all bytes by the public API. */
export async function exported(send: Client): Promise<Exported> {
  const all = new Map<string, string>();
  for (const [name, binary] of Object.entries(COLLECTIONS))
    for (const item of await listed(send, `/${name}?limit=1000`)) {
      const path = `/${name}/${item.orderId ?? item.id}`;
      const values = Object.entries(item).filter(([property]) => !VOLATILE.includes(property));
      const bytes = binary === undefined ? {} : { bytes: await digestAt(send, `${path}/${binary}`) };
      all.set(path, JSON.stringify({ ...Object.fromEntries(values), ...bytes }));
    }
  for (const { filename } of await listed(send, '/files?limit=1000')) {
    const path = `/files/${encodeURIComponent(filename)}`;
    all.set(path, JSON.stringify({ filename, bytes: await digestAt(send, path) }));
  }
  return all;
}

async function listed(send: Client, first: string) {
  const items = [];
  for (let path: string | undefined = first; path !== undefined; ) {
    const page = await send('GET', path, { headers: { Accept: 'application/json' } });
    if (page.status !== 200) throw new Error(`GET ${path} got ${page.status}: ${page.text}`);
    const { items: some, links } = page.json();
    items.push(...some);
    path = links.find(({ rel }) => rel === 'next')?.href;
  }
  return items;
}

/** The media type and a digest of bytes; undefined if there are none. */
async function digestAt(send: Client, path: string): Promise<string | undefined> {
  const { status, headers, bytes } = await send('GET', path);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`GET ${path} got ${status}`);
  return `${headers['content-type']} ${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Names what differs between two exports. */
export function differencesOf(before: Exported, after: Exported): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [one = 'nothing', other = 'nothing'] = [before.get(path), after.get(path)];
    return one === other ? [] : [`${path}: ${one} became ${other}`];
  });
}
