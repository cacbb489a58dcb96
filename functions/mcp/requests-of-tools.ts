import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Principal } from '../../shared/http/request.ts';
import { errorOf, itemResult, refusal, result } from './answers.ts';
import type { Answer, Api, Sent } from './call-api.ts';
import type { Described } from './described.ts';
import { confirmedTag, tokenOf } from './plan-token.ts';

/** What the tools of one request work with. `principal`: the caller; undefined: the service requires none. */
export interface Surroundings {
  readonly api: Api;
  readonly described: readonly Described[];
  readonly principal: Principal | undefined;
}

/** The arguments of all tools. The schema of each says which it has. */
export interface Given {
  readonly resource: string;
  readonly id: string | number;
  readonly etag: string;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly sort?: string;
  readonly fields?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly at?: string;
  readonly version?: number;
  readonly item?: object;
  readonly patch?: object;
  readonly action: string;
  readonly body?: object;
  readonly once?: string;
  readonly since: string;
  readonly confirm?: string;
}

/** Unknown preferences and parameters get 400. */
export const STRICT = { Prefer: 'handling=strict' };
const PLAN = { Prefer: 'handling=strict, dry-run' };

/** Sends a request, and makes the answer a result or an error. A failed precondition shows the present item. */
export async function send(
  { api }: Surroundings,
  sent: Sent,
  show: (answer: Answer) => CallToolResult | Promise<CallToolResult> = itemResult,
): Promise<CallToolResult> {
  const answer = await api(sent);
  if (answer.isOk) return show(answer);
  const [resource, id] = sent.path;
  if (!answer.body.type?.endsWith('/precondition-failed') || resource === undefined || id === undefined)
    return errorOf(api, answer);
  const { etag, body: item } = await api({ method: 'GET', path: [resource, id] });
  return errorOf(api, answer, { etag, item });
}

/** Shows a page of a list, with the cursor of the next one. */
export function page({ body }: Answer): CallToolResult {
  const { items = [], total, links } = body;
  const cursor = links?.find(({ rel }) => rel === 'next')?.href.split('?')[1];
  return result({
    items,
    ...(total === undefined ? {} : { total }),
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/** Shows a plan, with the token that confirms it. */
const planned =
  ({ principal }: Surroundings, tool: 'remove' | 'undo', target: string, tag: string) =>
  async ({ body }: Answer): Promise<CallToolResult> =>
    result({
      plan: body,
      confirm: await tokenOf({ tool, caller: principal?.subject ?? '', target, tag }),
    });

/** Returns the tag of the plan that the agent confirms, or the error for a wrong token. */
async function confirmed(
  { principal }: Surroundings,
  tool: 'remove' | 'undo',
  target: string,
  token: string,
): Promise<string | CallToolResult> {
  const caller = principal?.subject ?? '';
  const tag = await confirmedTag(token, { tool, caller, target });
  const detail = `The token confirms no plan of ${tool} for this target and this caller, or it is older than ten minutes`;
  return tag ?? refusal(detail, 'Call the tool without confirm, and look at the plan');
}

/** Removes an item in two steps. Source: Specification 23.5. */
export async function remove(
  { resource, id, confirm }: Given,
  around: Surroundings,
): Promise<CallToolResult> {
  const target = `${resource}/${id}`;
  const path = [resource, id];
  if (confirm !== undefined) {
    const tag = await confirmed(around, 'remove', target, confirm);
    if (typeof tag !== 'string') return tag;
    return send(around, { method: 'DELETE', path, headers: { ...STRICT, 'If-Match': tag } });
  }
  return send(around, { method: 'GET', path }, ({ etag = '*' }) =>
    send(
      around,
      { method: 'DELETE', path, headers: { ...PLAN, 'If-Match': etag } },
      planned(around, 'remove', target, etag),
    ),
  );
}

/** Takes changes of the caller back in two steps. Source: Specification 23.5. */
export async function undo({ since, confirm }: Given, around: Surroundings): Promise<CallToolResult> {
  const target = since;
  const sent = { method: 'POST', path: ['changes', 'undo'], body: { since } };
  if (confirm === undefined)
    return send(around, { ...sent, headers: PLAN }, planned(around, 'undo', target, target));
  const tag = await confirmed(around, 'undo', target, confirm);
  return typeof tag === 'string' ? send(around, { ...sent, headers: STRICT }) : tag;
}
