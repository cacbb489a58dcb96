import type { S3, S3Request, StoredObject } from './s3.ts';

/** An object of a page, with the bytes of its key. */
export interface Listed {
  readonly key: Uint8Array;
  readonly object: StoredObject;
}

/** A page of objects. `last`: the key where the next page starts; undefined: no further page. */
export interface ObjectPage {
  readonly limit: number;
  readonly objects: readonly Listed[];
  readonly last: Uint8Array | undefined;
}

/** Reads the objects below `prefix` after a key, in the order of the bytes of their keys, at most 1000 a page. */
export function objectPage(
  { storage }: S3,
  { bucket, parameters }: S3Request,
  after: Uint8Array,
): ObjectPage {
  const prefix = Buffer.from(parameters.get('prefix') ?? '');
  const limit = Math.min(Number(parameters.get('max-keys') ?? 1000), 1000);
  const rows = storage.all<{ key: Uint8Array; doc: string }>(
    `SELECT key, doc FROM object
     WHERE bucket = ? AND key > ? AND key >= ? AND substr(key, 1, ?) = ? ORDER BY key LIMIT ?`,
    ...[bucket, after, prefix, prefix.length, prefix, limit + 1],
  );
  const page = rows.slice(0, limit);
  return {
    limit,
    objects: page.map(({ key, doc }) => ({ key, object: JSON.parse(doc) })),
    last: rows.length > limit ? page.at(-1)?.key : undefined,
  };
}
