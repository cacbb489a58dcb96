import { send } from '../service/under-test.ts';
import type { Answer } from './client.ts';

/** The header fields of a JSON Patch. */
export const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };
/** The header fields of a merge patch. */
export const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };

/** Sends a JSON Patch. */
export const patch = (path: string, operations: unknown): Promise<Answer> =>
  send('PATCH', path, { json: operations, headers: JSON_PATCH });
/** Sends a merge patch. */
export const merge = (path: string, document: unknown): Promise<Answer> =>
  send('PATCH', path, { json: document, headers: MERGE_PATCH });
