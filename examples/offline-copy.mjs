// Keeps a copy of the customers of a service in a file, also without a network:
//   node examples/offline-copy.mjs http://127.0.0.1:3000 copy.json
// `sync` sends the changes of this copy, then follows /changes. You can cut it at any point and repeat it: the service
// has each change once (Idempotency-Key), and no change overwrites one that this copy has not seen (If-Match).
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const START = { next: '/changes?resource=customers', items: {}, waiting: [], sent: {} };

export class OfflineCopy {
  constructor(url, file, fetch = globalThis.fetch) {
    const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : structuredClone(START);
    Object.assign(this, { url, file, fetch, state });
  }

  /** Changes properties of an item in this copy. `sync` sends the change later. */
  change(path, values) {
    this.state.waiting.push({ path, values, key: randomUUID(), base: this.state.items[path] });
    this.state.items[path] = { ...this.state.items[path], ...values };
    this.save();
  }

  async sync() {
    for (const one of [...this.state.waiting]) await this.send(one);
    while ((await this.pull()) > 0);
  }

  async send(one) {
    const target = new URL(one.path, this.url);
    one.etag ??= await this.etagOf(target, one);
    this.save();
    const once = { 'If-Match': one.etag, 'Idempotency-Key': `"${one.key}"` };
    const headers = { 'Content-Type': 'application/merge-patch+json', ...once };
    // Without an entity tag, another client has removed the item or changed the same property: its change stays.
    const body = JSON.stringify(one.values);
    const { status } = one.etag ? await this.fetch(target, { method: 'PATCH', headers, body }) : { status: 0 };
    if (status === 200) Object.assign((this.state.sent[one.path] ??= {}), one.values);
    if (status === 409 || status >= 429) throw new Error(`PATCH ${target}: ${status}`);
    // The item has changed in between: the next run looks at it again.
    if (status === 412) Object.assign(one, { etag: undefined, key: randomUUID() });
    else this.state.waiting = this.state.waiting.filter(({ key }) => key !== one.key);
    this.save();
  }

  /** The entity tag of an item whose properties this copy has seen, or has sent before; otherwise empty. */
  async etagOf(target, { path, values, base }) {
    const answer = await this.fetch(target);
    if (answer.status === 404) return '';
    if (!answer.ok) throw new Error(`GET ${target}: ${answer.status}`);
    const found = await answer.json();
    const isKnown = (name) => found[name] === base?.[name] || found[name] === this.state.sent[path]?.[name];
    return Object.keys(values).every(isKnown) ? answer.headers.get('etag') : '';
  }

  async pull() {
    const answer = await this.fetch(new URL(this.state.next, this.url));
    // The copy is older than the history of the service.
    if (answer.status === 410) this.state = { ...structuredClone(START), waiting: this.state.waiting };
    if (!answer.ok) throw new Error(`GET ${this.state.next}: ${answer.status}`);
    const { items, links } = await answer.json();
    for (const { type, subject, data } of items)
      if (type.endsWith('.removed')) delete this.state.items[subject];
      else this.state.items[subject] = data;
    this.state.next = links.find(({ rel }) => rel === 'next').href;
    this.save();
    return items.length;
  }

  save() {
    writeFileSync(`${this.file}.new`, JSON.stringify(this.state));
    renameSync(`${this.file}.new`, this.file);
  }
}

if (import.meta.main) {
  const copy = new OfflineCopy(process.argv[2], process.argv[3]);
  await copy.sync();
  console.log(`${Object.keys(copy.state.items).length} customers`);
}
