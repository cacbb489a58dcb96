import type { Process } from './process.ts';
import type { FormKind, Operation, Route } from './route.ts';

/**
 * The styles of resource management as functions: each answers the routes that the style brings.
 *
 * Source: conventions, "Three resource-management styles are used".
 */

const list: Operation = { action: 'list', content: 'none', shape: 'list' };
const read: Operation = { action: 'read', content: 'none', shape: 'item' };
const create: Operation = { action: 'create', content: 'item', creates: true, several: 'createAll' };
const replaceAll: Operation = { action: 'replaceAll', content: 'items', bulk: true };
const removeAll: Operation = { action: 'removeAll', content: 'none', bulk: true };
const replace: Operation = { action: 'replace', content: 'item' };
const alter: Operation = { action: 'replace', content: 'change' };
const patch: Operation = { action: 'replace', content: 'patch' };
const register: Operation = { action: 'register', content: 'files', creates: true };
const remove: Operation = { action: 'remove', content: 'none' };

/** Server-managed: POST on the collection creates, the server chooses the URI, PUT on a missing item is 404. */
export const collection = (path: string): Route[] => [
  { path, operations: { GET: list, POST: create } },
  { path: `${path}/{id}`, operations: { GET: read, PUT: replace, PATCH: patch, DELETE: remove } },
];

/**
 * Client-managed: the client chooses the URI, PUT creates or replaces, the content is stored as it is. POST on the store
 * does so for several at once. An item's URI answers its bytes: what forms can do stands on the page of the list, and
 * below the item there is the form that asks before it is removed.
 */
export const store = (path: string, identifier: string): Route[] => [
  { path, operations: { GET: list, POST: register } },
  {
    path: `${path}/{${identifier}}`,
    operations: {
      GET: { action: 'read', content: 'none', shape: 'bytes' },
      PUT: { action: 'write', content: 'bytes', creates: true },
      DELETE: { ...remove, clientManaged: true },
    },
  },
  deletion(`${path}/{${identifier}}`),
];

/** The GET/POST twin of a collection for browsers without script; control URIs where the method is not enough. */
export const forms = (path: string): Route[] => [
  form(`${path}/new`, 'new', 'blank', { ...create, several: undefined }),
  form(`${path}/{id}/edit`, 'edit', 'read', alter),
  deletion(`${path}/{id}`),
];

/** The form that asks before an item is removed. */
const deletion = (path: string): Route => form(`${path}/delete`, 'delete', 'read', remove);

/** A control URI: GET shows a form of what is there, POST does what the form is for. */
const form = (path: string, kind: FormKind, shown: string, done: Operation): Route => ({
  path,
  operations: {
    GET: { action: shown, content: 'none', shape: 'form', form: kind },
    POST: { ...done, form: kind },
  },
});

/**
 * Any other change of an item than full replacement or partial update: POST on the item itself. The members that are
 * named change, nothing else does.
 */
export const change = (path: string): Route[] => [{ path: `${path}/{id}`, operations: { POST: alter } }];

/** Work on a whole collection at once: those that are listed are replaced, all are removed. */
export const bulk = (path: string): Route[] => [{ path, operations: { PUT: replaceAll, DELETE: removeAll } }];

/** Items under another resource's item: listed and created there, by actions `list:{parent}` and `create:{parent}`. */
export const nested = (path: string, parent: string): Route[] => [
  {
    path,
    operations: {
      GET: { ...list, action: `list:${parent}`, parent: `exists:${parent}` },
      POST: {
        ...create,
        action: `create:${parent}`,
        several: `createAll:${parent}`,
        parent: `exists:${parent}`,
      },
    },
  },
];

/** Work on all items under another resource's item at once, by actions `replaceAll:{parent}` and `removeAll:{parent}`. */
export const nestedBulk = (path: string, parent: string): Route[] => [
  {
    path,
    operations: {
      PUT: { ...replaceAll, action: `replaceAll:${parent}`, parent: `exists:${parent}` },
      DELETE: { ...removeAll, action: `removeAll:${parent}`, parent: `exists:${parent}` },
    },
  },
];

/** A read-only view from another resource's item: one item, or a list of them. */
export const related = (path: string, action: string, shape: 'item' | 'list'): Route[] => [
  { path, operations: { GET: { action, content: 'none', shape } } },
];

/** A part of an item that is bytes, at the item's own path with `?fields={part}`. */
export const binaryPart = (path: string, part: string): Route[] => [
  {
    path,
    part,
    operations: {
      GET: { action: `read:${part}`, content: 'none', shape: 'bytes' },
      PUT: { action: `write:${part}`, content: 'bytes', creates: true },
      DELETE: { action: `remove:${part}`, content: 'none' },
    },
  },
];

/** Moves of a business process: POST on a control URI below the item. */
export const process = (path: string, { moves }: Process): Route[] =>
  Object.keys(moves).map((name) => ({
    path: `${path}/{id}/${name}`,
    operations: { POST: { action: `move:${name}`, content: 'none', form: 'move', reads: 'read' } },
  }));

/** Operations that go on by themselves: listed, looked at, and cancelled by DELETE; by people with a form. */
export const tracked = (path: string): Route[] => [
  { path, operations: { GET: list } },
  { path: `${path}/{id}`, operations: { GET: read, DELETE: remove } },
  form(`${path}/{id}/delete`, 'delete', 'cancelable', remove),
];

/** A document of the service itself. */
export const document = (path: string, action: string, parameters: readonly string[] = []): Route[] => [
  { path, operations: { GET: { action, content: 'none', shape: 'document', parameters } } },
];

/** Bytes of the service itself, made before it was deployed. */
export const publication = (path: string, action: string, mediaTypes: readonly string[]): Route[] => [
  { path, operations: { GET: { action, content: 'none', shape: 'bytes', mediaTypes } } },
];
