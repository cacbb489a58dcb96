import { answer } from '../../shared/flow/answer.ts';
import type { Request } from '../../shared/http/request.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** Sends a request to a resource by its definition alone, without a gateway. `more`: header fields in lower case. */
export async function request(
  resource: Resource,
  method: string,
  target: string,
  json?: unknown,
  more: Readonly<Record<string, string>> = {},
) {
  const [path = '', query = ''] = target.split('?');
  const [, collection = '', id, ...below] = path.split('/');
  const content = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
  const type = method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
  const version = below[0] === 'versions' ? below[1] : undefined;
  const parts = version === undefined ? below : ['versions', '{version}', ...below.slice(2)];
  const sent: Request = {
    method,
    template: id === undefined ? `/${collection}` : ['', collection, '{id}', ...parts].join('/'),
    path,
    parameters: { ...(id !== undefined && { id }), ...(version !== undefined && { version }) },
    query: new Map([...new URLSearchParams(query)].map(([name, value]) => [name, [value]])),
    headers: { 'content-type': type, ...more },
    content: () => content,
    basePath: '',
    requestId: 'request',
    receivedAt: Date.now(),
  };
  const { status, headers, body } = await answer(resource, sent);
  return { status, headers, body: body ? JSON.parse(String(body)) : undefined };
}
