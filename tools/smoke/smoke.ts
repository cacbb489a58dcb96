import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, exchange, type SentRequest } from './client.ts';
import { type Draft, Drafts } from './drafts.ts';
import { expectStatus, Skipped } from './expect.ts';

export const MIB = 1024 * 1024;
/** Bytes above the limit of a function's response, so that a reader gets a redirect to S3. */
const LARGE_BYTES = 5 * MIB;
const OPERATION_MS = 60_000;

/** The stored bytes and their path. */
export interface Stored {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * The service under test and the data of this run. Every name begins with the name of the run, and `clean` deletes
 * all data.
 */
export class Smoke {
  readonly url: string;
  /** What the description says about items to create. */
  readonly drafts: Drafts;
  /** The path of the collection in which the checks create items. */
  collection = '';
  readonly #token: string | undefined;
  readonly #origin: string;
  readonly #run = `smoke-${Date.now().toString(36)}-${randomBytes(3).toString('hex')}`;
  readonly #made: string[] = [];
  /** Whether items of a collection need more than their required properties. */
  readonly #needsExamples = new Map<string, boolean>();
  readonly #once = new Map<string, Promise<unknown>>();

  private constructor(url: string, drafts: Drafts, token?: string) {
    this.url = url;
    this.drafts = drafts;
    this.#origin = new URL(url).origin;
    this.#token = token;
  }

  /** Reads the description of the service. @throws Error if it has none */
  static async at(url: string, token?: string): Promise<Smoke> {
    const base = url.replace(/\/$/, '');
    const description = expectStatus(await exchange('GET', `${base}/openapi.json`), 200);
    return new Smoke(base, new Drafts(description.json()), token);
  }

  /** True if callers need a token. */
  get isClosed(): boolean {
    return this.#token !== undefined;
  }

  /** The header field with the token; none for an open service. */
  get credentials(): Readonly<Record<string, string>> {
    return this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` };
  }

  /** Sends a request to a path of the service, with credentials. */
  send(method: string, path: string, sent: SentRequest = {}): Promise<Answer> {
    return this.anonymous(method, path, { ...sent, headers: { ...this.credentials, ...sent.headers } });
  }

  /** Sends a request to a path of the service without credentials. */
  anonymous(method: string, path: string, sent: SentRequest = {}): Promise<Answer> {
    return exchange(method, `${this.url}${path}`, sent);
  }

  /** Sends a request to the target of a redirect or link. */
  follow(method: string, href: string, sent: SentRequest = {}): Promise<Answer> {
    const uri = new URL(href, this.#origin);
    const headers = uri.origin === this.#origin ? { ...this.credentials, ...sent.headers } : sent.headers;
    return exchange(method, uri.href, headers === undefined ? sent : { ...sent, headers });
  }

  /** Returns a unique name. */
  name(suffix: string): string {
    return `${this.#run}-${suffix}`;
  }

  /** Registers a path of the service for deletion, and returns it. */
  takeAway(path: string): string {
    this.#made.push(path);
    return path;
  }

  /** Returns the path of an item that all checks share. */
  item(): Promise<string> {
    return this.#onlyOnce('item', () => this.create('item'));
  }

  /** Returns the POST of an item with a unique name, after it has created the items that this one needs. */
  async draft(suffix: string, collection = this.collection): Promise<Draft> {
    const drafted = (isFull: boolean): Promise<Draft> =>
      this.drafts.of(collection, this.name(suffix), (other) => this.create(suffix, other), isFull);
    const known = this.#needsExamples.get(collection);
    if (known !== undefined) return drafted(known);
    // Code of an author may refuse an item with required properties alone. A dry run creates nothing.
    const least = await drafted(false);
    const headers = { Prefer: 'dry-run' };
    const { status } = await this.send('POST', least.path, { headers, json: least.json });
    this.#needsExamples.set(collection, status === 400);
    return status === 400 ? drafted(true) : least;
  }

  /** Creates an item. Returns its path. */
  async create(suffix: string, collection = this.collection): Promise<string> {
    const { path, json } = await this.draft(suffix, collection);
    return this.createFrom(path, { json });
  }

  /** Creates an item by a request to a path. Returns the path of the item. */
  async createFrom(path: string, sent: SentRequest): Promise<string> {
    const answer = expectStatus(await this.send('POST', path, sent), 201);
    return this.takeAway(this.pathOf(answer.headers.location ?? ''));
  }

  /** Returns the path of a file, and registers it for deletion. @throws Skipped if the service has no files */
  async file(suffix: string): Promise<string> {
    const { status } = await this.#onlyOnce('files', () => this.send('GET', '/files?limit=1'));
    if (status === 404) throw new Skipped('The service has no files');
    return this.takeAway(`/files/${encodeURIComponent(this.name(suffix))}`);
  }

  /** Returns a file of 1 KiB that all checks share. */
  small(): Promise<Stored> {
    return this.#onlyOnce('small', () => this.store('small.bin', randomBytes(1024)));
  }

  /** Stores a file in one request. */
  async store(suffix: string, bytes: Buffer): Promise<Stored> {
    const path = await this.file(suffix);
    expectStatus(await this.send('PUT', path, { body: bytes, headers: BINARY }), 201);
    return { path, bytes };
  }

  /** Returns a file above the limit of a function, uploaded to S3. All checks share it. */
  large(): Promise<Stored> {
    return this.#onlyOnce('large', async () => {
      const bytes = randomBytes(LARGE_BYTES);
      const filename = this.name('large.bin');
      const path = await this.file('large.bin');
      const manifest = { filename, size: bytes.length, contentType: BINARY['Content-Type'] };
      const accepted = expectStatus(await this.send('POST', '/files', { json: manifest }), 202);
      const [link] = accepted.json().uploads as {
        method: string;
        href: string;
        headers?: SentRequest['headers'];
      }[];
      const { method, href, headers = {} } = link as NonNullable<typeof link>;
      expectStatus(await exchange(method, href, { headers, body: bytes }), 200);
      expectStatus(await this.ended(accepted.headers.location ?? ''), 303);
      return { path, bytes };
    });
  }

  /**
   * Returns the response of an operation after its end. @throws if it does not end in this time (ms)
   */
  async ended(location: string, patience = OPERATION_MS): Promise<Answer> {
    const deadline = Date.now() + patience;
    for (;;) {
      const answer = await this.follow('GET', location);
      if (answer.status !== 200 || !['NotStarted', 'Running'].includes(String(answer.json().status)))
        return answer;
      if (Date.now() > deadline) throw new Error(`${location} has not ended after ${patience / 1000} s`);
      await pause(500);
    }
  }

  /** Returns a path of the service from a reference that begins with the stage or base path. */
  pathOf(href: string): string {
    const { pathname } = new URL(this.url);
    const base = pathname.replace(/\/$/, '');
    if (!href.startsWith(`${base}/`)) throw new Error(`'${href}' does not lead below ${base}/`);
    return href.slice(base.length);
  }

  /** Deletes all created data, the newest first: others may refer to the older. Returns the paths that it could not delete. */
  async clean(): Promise<string[]> {
    const left: string[] = [];
    for (const path of new Set(this.#made.toReversed())) {
      const status = await this.send('DELETE', path).then(
        (answer) => answer.status,
        (error: Error) => error.message,
      );
      if (status !== 204 && status !== 404) left.push(`${path}: ${status}`);
    }
    return left;
  }

  #onlyOnce<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    const made = (this.#once.get(name) as Promise<Value> | undefined) ?? make();
    this.#once.set(name, made);
    return made;
  }
}

export const BINARY = { 'Content-Type': 'application/octet-stream' };
