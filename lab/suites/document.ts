import { join } from 'node:path';

/** The path of the committed API description. */
export const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');
