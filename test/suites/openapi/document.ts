import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteService } from '../service.ts';

/** The API description as it is committed. */
export const DOCUMENT = join(import.meta.dirname, '../../../docs/openapi.json');

/** Why nothing can be done by the API description yet; undefined when it is there and served. */
export async function withoutDescription({ client }: SuiteService): Promise<string | undefined> {
  if (!existsSync(DOCUMENT)) return 'docs/openapi.json does not exist';
  const { status } = await client('GET', '/openapi.json');
  return status === 200 ? undefined : `/openapi.json answers ${status}`;
}
