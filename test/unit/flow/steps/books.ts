import { PURE } from '../../../../shared/flow/answer.ts';
import {
  EMPTY_EXCHANGE,
  type OperationRun,
  type Received,
  type Understood,
} from '../../../../shared/flow/exchange.ts';
import type { Flow } from '../../../../shared/flow/flow.ts';
import { respond } from '../../../../shared/flow/response/respond.ts';
import type { Request } from '../../../../shared/http/request.ts';
import type { Action } from '../../../../shared/resource/actions/action.ts';
import {
  type Bytes,
  created,
  done,
  foundItem,
  listed,
  missing,
  replaced,
} from '../../../../shared/resource/actions/outcome.ts';
import { binary, text } from '../../../../shared/resource/description/fields.ts';
import { describe } from '../../../../shared/resource/description/plan.ts';
import type { SchemaValidator } from '../../../../shared/resource/description/validate.ts';
import type { Item } from '../../../../shared/resource/item.ts';
import { type Resource, resource } from '../../../../shared/resource/resource.ts';
import type { Route } from '../../../../shared/resource/route.ts';
import {
  type BulkActions,
  bulk,
  type CollectionActions,
  change,
  collection,
  forms,
} from '../../../../shared/resource/styles/collection.ts';
import { nested } from '../../../../shared/resource/styles/nested.ts';
import { binaries } from '../../../../shared/resource/styles/store-and-binaries.ts';

/** The only book. */
export const BOOK: Item = {
  id: 7,
  version: 3,
  createdAt: 0,
  updatedAt: 1000,
  values: { title: 'Emma' },
  internal: {},
};

/** The bytes of its cover: 10 of them. */
export const COVER: Bytes = {
  etag: { weak: false, opaque: 'cover' },
  size: 10,
  lastModified: 1000,
  mediaType: 'image/png',
  read: async (range) => Buffer.from('0123456789').subarray(range?.first, range && range.last + 1),
};

interface BookActions extends Required<CollectionActions>, BulkActions {
  readonly cover: Action<'binary'>;
}

const ACTIONS: BookActions = {
  list: () => listed({ items: [BOOK] }),
  read: ({ id }) => (id === BOOK.id ? foundItem(BOOK) : missing()),
  create: ({ values }) => created({ ...BOOK, id: 8, values }, '/books/8'),
  createAll: () => ({ kind: 'several', results: [], location: '/books' }),
  replace: ({ values }) => replaced({ ...BOOK, version: 4, values }, '/books/7'),
  replaceAll: () => ({ kind: 'mustDefer' }),
  remove: () => done,
  removeAll: () => done,
  cover: () => ({ kind: 'found', state: { kind: 'bytes', bytes: COVER } }),
};

/** Shelf 1 exists, others do not. */
const exists: Action<'item'> = ({ id }) => (id === 1 ? done : missing());

/** The first run of an operation. */
export const RUN: OperationRun = {
  work: {
    operationId: 1,
    lease: 'lease',
    acceptedAt: 0,
    startedAt: 0,
    deadline: 60_000,
    basePath: '/v1',
    requestId: 'r',
    checkpoint: { done: 0, failed: 0, failures: [] },
  },
  keyed: { id: 'operation', fingerprint: 'operation', expiresAt: 60_000 },
};

const validate: SchemaValidator = (values) => {
  const isValid = typeof values === 'object' && values !== null && 'title' in values;
  const missing = { instancePath: '', keyword: 'required', params: { missingProperty: 'title' } };
  validate.errors = isValid ? null : [missing];
  return isValid;
};

const description = describe({
  singular: 'book',
  fields: { title: text('Title'), cover: binary('Cover', { accepts: 'image/*' }) },
  required: ['title'],
});

/** Books in memory. `given`: actions in place of theirs. `facts`: other properties of the resource. */
export function books(given: Partial<BookActions> = {}, facts: Partial<Resource> = {}): Resource {
  const actions: BookActions = { ...ACTIONS, ...given };
  return {
    ...resource({
      name: 'books',
      title: 'Books',
      about: 'Things to read.',
      description,
      validate,
      routes: () => [
        ...collection('/books', actions),
        ...change('/books', actions),
        ...forms('/books', actions),
        ...bulk('/books', actions),
        ...binaries('/books/{id}', description, {
          whole: actions.read,
          read: actions.cover,
          write: ({ sent: _sent, ...input }) => actions.replace({ ...input, values: {} }),
          remove: actions.remove,
        }),
        ...nested('/shelves/{id}/books', {
          exists,
          field: 'shelfId',
          parents: 'shelves',
          list: (input) => actions.list(input),
          create: (input) => actions.create(input),
          createAll: (input) => actions.createAll(input),
        }),
      ],
    }),
    ...facts,
  };
}

/** The parts of a request other than method and target. */
interface Asked extends Partial<Request> {
  readonly resource?: Resource;
  readonly body?: string;
  readonly asOperation?: Received['asOperation'];
}

/** An exchange before the first step: `ask('GET /books/7?fields=title')`. */
export function ask(line: string, headers: Request['headers'] = {}, asked: Asked = {}): Received {
  const { resource: asks = books(), body, asOperation, ...more } = asked;
  const [method = '', target = ''] = line.split(' ');
  const [path = '', search = ''] = target.split('?');
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search))
    query.set(name, [...(query.get(name) ?? []), value]);
  const request: Request = {
    method,
    path,
    ...templateOf(asks, path),
    query,
    headers,
    content: () => (body === undefined ? undefined : Buffer.from(body)),
    basePath: '/v1',
    requestId: 'r',
    receivedAt: 5000,
    ...more,
  };
  return { ...EMPTY_EXCHANGE, request, resource: asks, respond, asOperation };
}

function templateOf({ routes }: Resource, path: string): Pick<Request, 'template' | 'parameters'> {
  const plain = path.replace(/(?<=.)\/$/, '');
  const isLiteral = ({ path: template }: Route) => !template.includes('{');
  for (const { path: template } of [...routes.filter(isLiteral), ...routes]) {
    const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const match = pattern.exec(plain);
    if (match) return { template, parameters: { ...match.groups } };
  }
  return { template: '/{proxy+}', parameters: {} };
}

/** The result of a flow: the exchange after all steps, or the status and the name of the problem that ended it. */
export async function outcomeOf<Start, End>(flow: Flow<Start, End>, start: Start) {
  const passage = await flow.run(start);
  if (passage.kind === 'passed') return passage.exchange;
  const { status, problem, headers } = passage.ending;
  return { status, problem: problem?.name, headers: { ...headers, ...problem?.headers } };
}

/** The exchange before the stateful steps. */
export async function understood(...asked: Parameters<typeof ask>): Promise<Understood> {
  const passage = await PURE.run(ask(...asked));
  if (passage.kind === 'ended') throw new Error(`The request ended with ${passage.ending.status}`);
  return passage.exchange;
}
