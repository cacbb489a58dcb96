import { join } from 'node:path';

/** The API description as it is committed. */
export const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');
