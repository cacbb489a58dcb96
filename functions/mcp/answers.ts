import type { CallToolResult } from '@modelcontextprotocol/server';
import { ACCEPTED } from '../../shared/http/response.ts';
import type { Answer, Api } from './call-api.ts';

const resultOf = (members: Readonly<Record<string, unknown>>, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(members) }],
  structuredContent: { ...members },
  ...(isError ? { isError } : {}),
});

/** Returns a result of a tool, as text and as structured content. */
export const result = (members: Readonly<Record<string, unknown>>): CallToolResult =>
  resultOf(members, false);

/** Returns an error of a tool in the form of a problem. */
export const refusal = (detail: string, remedy: string, more: object = {}): CallToolResult =>
  resultOf({ detail, remedy, ...more }, true);

/**
 * Returns the error of a tool for a problem of the API, with the remedy that the page of its type names. `current`: the
 * item as it is, after a failed precondition.
 *
 * Source: RFC 9457 §3.1; Specification 23.4.
 */
export async function errorOf(
  api: Api,
  { status, body }: Answer,
  current?: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const { type = '', detail = `The service answered ${status}`, instance: _, title, ...more } = body;
  const page = await api({ method: 'GET', path: ['problems', type.slice(type.lastIndexOf('/') + 1)] });
  return resultOf({ type, status, detail, remedy: page.body.remedy ?? title, ...more, current }, true);
}

/** Returns the result of a write or of the read of an item: the item, or the operation that does the work later. */
export const itemResult = ({ status, etag, location, body }: Answer): CallToolResult =>
  result({
    status,
    ...(etag === undefined ? {} : { etag }),
    ...(location === undefined ? {} : { location }),
    ...(Object.keys(body).length === 0 ? {} : { [status === ACCEPTED ? 'operation' : 'item']: body }),
  });
