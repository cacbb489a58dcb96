import { createHash } from 'node:crypto';
import type { Body, Client } from '../../test/support/client/client.ts';

/** The state of each item and file by its path, as JSON text. */
export type Exported = ReadonlyMap<string, string>;

/** The collections with items, and the binary property of each. */
const COLLECTIONS = { members: 'photo', customers: undefined, products: 'productImage', orders: undefined };

/** What each change alters, also one that is taken back: its author is the one who undid. */
const VOLATILE: readonly string[] = ['version', 'updatedAt', 'updatedBy'];

/** Reads all items and all bytes by the public API. */
export async function exported(send: Client): Promise<Exported> {
  const all = new Map<string, string>();
  for (const [name, binary] of Object.entries(COLLECTIONS))
    for (const item of await listed(send, `/${name}?limit=10`)) {
      const path = `/${name}/${item.orderId ?? item.id}`;
      all.set(path, await stateOf(send, item, binary && `${path}/${binary}`));
    }
  for (const file of await listed(send, '/files?limit=10')) {
    const path = `/files/${encodeURIComponent(file.filename)}`;
    all.set(path, await stateOf(send, file, path));
  }
  return all;
}

/** `bytes`: the path of the bytes; undefined: there are none. */
async function stateOf(send: Client, item: Body, bytes?: string): Promise<string> {
  // A link has the entity tag of its target.
  const links = item.links.map(({ rel, href, method }) => ({ rel, href, method }));
  const state = { ...item, links, bytes: bytes && (await digestAt(send, bytes)) };
  const isFile = 'filename' in item;
  return JSON.stringify(state, (name, value) =>
    VOLATILE.includes(name) || (isFile && name === 'createdAt') ? undefined : value,
  );
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
