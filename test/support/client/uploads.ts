import { createHash } from 'node:crypto';
import { get, send } from '../service/under-test.ts';
import type { Answer, Body, SentRequest } from './client.ts';

/** A request to storage, from a response. */
export interface Admitted {
  readonly method: string;
  readonly href: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly partNumber?: number;
  readonly size: number;
}

/** The upload link of one file: for the whole, or for its parts. */
export interface UploadLinks extends Admitted {
  readonly filename: string;
  readonly expiresAt: string;
  readonly partSize: number;
  readonly parts: readonly Admitted[];
  readonly complete: Admitted;
  readonly abort: Admitted;
  readonly sent: Admitted;
}

/** Announces files. */
export const announce = (json: unknown, headers: SentRequest['headers'] = {}): Promise<Answer> =>
  send('POST', '/files', { json, headers });

/** The links in a response. */
export const linksIn = (answer: Answer): readonly UploadLinks[] =>
  answer.json().uploads as readonly UploadLinks[];

/** A digest in the form of a manifest. */
export const digestOf = (bytes: Uint8Array | string): string =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

/** Sends a request to storage. Returns the status, S3's code of an error, and the entity tag. */
export async function toStorage(
  { method, href, headers = {} }: Pick<Admitted, 'method' | 'href' | 'headers'>,
  body?: Uint8Array<ArrayBuffer> | string,
): Promise<{ status: number; code: string | undefined; etag: string; text: string }> {
  const answer = await fetch(href, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  const code = /<Code>(\w+)/.exec(text)?.[1];
  return { status: answer.status, code, etag: answer.headers.get('etag') ?? '', text };
}

/** Sends the missing parts of a file. */
export async function sendParts(
  { parts, partSize, sent }: UploadLinks,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { text } = await toStorage(sent);
  const there = new Set([...text.matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number)));
  for (const { partNumber = 0, size, ...link } of parts) {
    if (there.has(partNumber)) continue;
    const from = (partNumber - 1) * partSize;
    const { status } = await toStorage({ ...link }, bytes.subarray(from, from + size));
    if (status !== 200) throw new Error(`Part ${partNumber}: ${status}`);
  }
}

/** Completes a multipart upload with the existing parts. */
export async function completeParts({ complete, sent }: UploadLinks) {
  const { text } = await toStorage(sent);
  const part = /<PartNumber>(\d+)<\/PartNumber>.*?<ETag>(.*?)<\/ETag>/g;
  const parts = [...text.matchAll(part)].map(
    ([, number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  return toStorage(complete, `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
}

/** An upload operation after its end. The service does not wait for uploads, so this polls. */
export async function endedUpload(
  location: string | undefined,
): Promise<Answer & { operation: Body & Ended }> {
  if (location === undefined) throw new Error('No operation');
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await get(location);
    const operation = answer.json() as Body & Ended;
    if (!['NotStarted', 'Running', 'Canceling'].includes(operation.status)) return { ...answer, operation };
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`${location} did not end`);
}

interface Ended {
  readonly status: string;
  readonly progress: { readonly done: number; readonly total?: number; readonly failed: number };
  readonly error?: { readonly type: string; readonly detail: string; readonly failures?: unknown };
}
