import { createHash } from 'node:crypto';
import { orders } from '../../functions/orders.ts';
import type { Answer } from '../support/client/client.ts';
import type { Model } from './linearizable.ts';
import type { Request } from './recorded.ts';

const versionOf = ({ headers }: Answer): number => Number(/^"(\d+)\./.exec(headers.etag ?? '')?.[1]);
const fieldOf = ({ sent }: Request, name: string) => sent?.headers?.[name] as string | undefined;

/** A member: each change of the whole or of one property creates the next version. */
export interface Member {
  readonly version: number;
  readonly name: string;
  readonly age: number;
}

export const member = (initial: Member): Model<Member, Request, Answer> => ({
  initial,
  key: ({ version, name, age }) => `${version} ${name} ${age}`,
  after: (state, request, answer) => {
    if (!answer) return undefined;
    const condition = fieldOf(request, 'If-Match');
    const holds = condition === undefined || Number(/^"(\d+)\./.exec(condition)?.[1]) === state.version;
    if (answer.status === 412) return holds ? undefined : state;
    if (answer.status !== 200 || !holds) return undefined;
    const changed = request.method === 'GET' ? state : { ...state, ...(request.sent?.json as object) };
    const isSame = changed.name === state.name && changed.age === state.age;
    const isNext = request.method === 'PUT' || !isSame;
    const next = { ...changed, version: state.version + (isNext ? 1 : 0) };
    const { name, age } = answer.json();
    return name === next.name && age === next.age && versionOf(answer) === next.version ? next : undefined;
  },
});

/** A file: bytes or nothing. */
export interface File {
  readonly bytes?: string;
}

export const file: Model<File, Request, Answer> = {
  initial: {},
  key: ({ bytes }) => bytes ?? '(nothing)',
  after: (state, request, answer) => {
    if (!answer) return undefined;
    const { method, sent } = request;
    const { bytes } = state;
    const isThere = bytes !== undefined;
    const match = fieldOf(request, 'If-Match');
    const isAsExpected = match === undefined || (isThere && match === tagOf(bytes));
    const holds = isAsExpected && (fieldOf(request, 'If-None-Match') === undefined || !isThere);
    if (answer.status === 412) return holds ? undefined : state;
    if (!holds) return undefined;
    if (method === 'PUT') {
      // S3 does not report whether it replaced an object. Without a precondition, the service asks the listing,
      // which follows later.
      const isToldByS3 = match !== undefined || fieldOf(request, 'If-None-Match') !== undefined;
      const fits = isToldByS3 ? [isThere ? 200 : 201] : [200, 201];
      return fits.includes(answer.status) ? { bytes: String(sent?.body) } : undefined;
    }
    if (answer.status === 404) return isThere ? undefined : state;
    if (!isThere) return undefined;
    if (method === 'DELETE') return answer.status === 204 ? {} : undefined;
    return answer.status === 200 && answer.text === bytes && answer.headers.etag === tagOf(bytes)
      ? state
      : undefined;
  },
};

const tagOf = (bytes: string) =>
  `"${createHash('md5').update(bytes).digest('hex')}.application%2Foctet-stream"`;

/** An order in its process: each transition creates the next version. */
export interface Order {
  readonly version: number;
  readonly status: string;
}

export const order: Model<Order, Request, Answer> = {
  initial: { version: 1, status: 'created' },
  key: ({ version, status }) => `${version} ${status}`,
  after: (state, { method, path }, answer) => {
    if (!answer) return undefined;
    const body = answer.json();
    const fits = (next: Order) =>
      body.status === next.status && versionOf(answer) === next.version ? next : undefined;
    if (method === 'GET') return answer.status === 200 ? fits(state) : undefined;
    const transition = orders.process?.transitions[path.split('/').at(-1) ?? ''];
    if (transition === undefined) throw new Error(`${path} is not a transition of an order`);
    const { from, to } = transition;
    const isAllowed = from.includes(state.status);
    if (answer.status === 409)
      return !isAllowed && state.status !== to && body.currentStatus === state.status ? state : undefined;
    if (answer.status !== 200 || (!isAllowed && state.status !== to)) return undefined;
    return fits(state.status === to ? state : { version: state.version + 1, status: to });
  },
};

/** A customer, and the orders that name it. `assigned`: whether the order that existed before names it. */
export interface Shop {
  readonly exists: boolean;
  readonly assigned: boolean;
  readonly orders: readonly string[];
}

/** The paths of a customer, and of an order that existed before without a customer. */
export const shop = (customer: string, order: string): Model<Shop, Request, Answer> => ({
  initial: { exists: true, assigned: false, orders: [] },
  // The operations that took place determine the new orders.
  key: ({ exists, assigned }) => `${exists} ${assigned}`,
  after: (state, { method, path, sent }, answer) => {
    if (!answer) return undefined;
    const { status } = answer;
    if (method === 'POST') {
      const created = { ...state, orders: [...state.orders, answer.headers.location as string] };
      if (status === 201) return state.exists ? created : undefined;
      const refusal = path === '/orders' ? 409 : 404;
      return status === refusal && !state.exists ? state : undefined;
    }
    if (path === customer) {
      if (status === 404) return state.exists ? undefined : state;
      if (!state.exists) return undefined;
      return method === 'DELETE' ? { ...state, exists: false } : state;
    }
    if (method === 'PUT') {
      const assigned = (sent?.json as { customerId: number | null } | undefined)?.customerId !== null;
      const isAllowed = !assigned || state.assigned || state.exists;
      if (status === 409) return isAllowed ? undefined : state;
      return status === 200 && isAllowed ? { ...state, assigned } : undefined;
    }
    if (status !== 200) return undefined;
    const fits =
      path === order ? state.assigned === 'customerId' in answer.json() : state.orders.includes(path);
    return fits ? state : undefined;
  },
});
