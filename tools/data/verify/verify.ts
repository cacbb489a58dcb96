import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { config } from '../../../shared/aws/config.ts';
import { CONCURRENCY, mapConcurrently } from '../../../shared/concurrency/map-concurrently.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { fromAttributes } from '../../../shared/store/form/attributes.ts';
import { itemRows, readRows } from '../../../shared/store/items/read-items.ts';
import { UserError } from '../../user-error.ts';
import { linesOf } from '../export.ts';
import { exportedRows, itemsOf } from '../exported-rows.ts';
import { itemAfterImport } from '../import/imported-attributes.ts';
import type { Line } from '../lines.ts';
import { download } from '../objects.ts';

/** Compares a service with an export. */

/** The items of an export that the command compares at once. */
const BATCH = 100;

/**
 * Compares the items of an export with those of the service: versions, times, values and bytes. Reports each item that
 * is missing or differs, then the numbers of each resource. Returns the number of these items, and of those that the
 * export lacks.
 *
 * @throws UserError if a file is missing, or if a line is not from an export
 */
export async function verify(
  directory: string,
  resources: readonly Resource[],
  report: (line: string) => void,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'resource-api-verify-'));
  try {
    let different = 0;
    for (const resource of resources) {
      let [exported, objects, missing] = [0, 0, 0];
      for await (const lines of batches(resource, linesOf(directory, resource))) {
        for (const { id, fault } of await compare(resource, lines, folder)) {
          if (fault === undefined) continue;
          report(`${resource.name} ${id} ${fault}`);
          different += 1;
          if (fault === MISSING) missing += 1;
        }
        exported += lines.length;
        objects += lines.reduce((sum, line) => sum + line.objects.length, 0);
      }
      let present = 0;
      for await (const _ of itemRows(config.tableName(resource.name))) present += 1;
      different += present - (exported - missing);
      report(
        `${resource.name}: ${exported} items and ${objects} objects in the export, ${present} items in the service`,
      );
    }
    return different;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const MISSING = 'is missing';

async function* batches(resource: Resource, file: string): AsyncGenerator<readonly Line[]> {
  if (!existsSync(file)) throw new UserError(`${file} is missing: name the resources to compare`);
  let batch: Line[] = [];
  for await (const { line } of exportedRows(file, itemsOf(resource), { position: 0, before: 0 })) {
    if (line) batch.push(line);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Returns the identifier of each item, and what differs in the service. `folder`: for bytes of the service. */
async function compare(resource: Resource, lines: readonly Line[], folder: string) {
  const description = descriptionOf(resource);
  // S3 makes another entity tag for an object of several parts. The digest of the bytes decides.
  const itemOf = (row: Attributes) => ({ ...fromAttributes(description, row), internal: {} });
  const ids = lines.map(({ item }) => itemOf(item).id);
  const stored = new Map<number | string, ReturnType<typeof itemOf>>();
  for await (const row of readRows({ name: resource.name, description }, ids)) {
    const item = itemOf(row);
    stored.set(item.id, item);
  }
  return mapConcurrently(CONCURRENCY.files, lines, async ({ item, objects }) => {
    const before = itemOf(item);
    const { id } = before;
    const after = stored.get(id);
    if (after === undefined) return { id, fault: MISSING };
    if (after.version !== before.version)
      return { id, fault: `has version ${after.version} instead of ${before.version}` };
    const imported = itemOf(itemAfterImport(resource, item));
    if (![before, imported].some((one) => isDeepStrictEqual(after, one)))
      return { id, fault: 'has other values' };
    for (const { key, sha256 } of objects) {
      const found = await download(key, folder);
      if (found) rmSync(join(folder, found.file), { force: true });
      if (found?.sha256 !== sha256) return { id, fault: `has other bytes in ${key}` };
    }
    return { id, fault: undefined };
  });
}
