import type { Process } from './process.ts';
import type { FormKind, Operation, Route } from './route.ts';

/**
 * The styles of resource management as functions. Each returns the routes of its style.
 *
 * Source: Specification C.14 to C.17, 1.2, 1.3.
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

/**
 * Server-managed: POST on the collection creates an item, and the server chooses its URI. PUT on a missing item
 * gets 404.
 */
export const collection = (path: string): Route[] => [
  { path, operations: { GET: list, POST: create } },
  { path: `${path}/{id}`, operations: { GET: read, PUT: replace, PATCH: patch, DELETE: remove } },
];

/**
 * Client-managed: the client chooses the URI. PUT creates or replaces, and the service stores the content
 * unchanged. POST on the store does so for several files. The URI of an item returns its bytes, so the forms are on
 * the page of the list. Below the item is the form that confirms its removal.
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

/** The same actions by GET and POST for browsers without script, at control URIs. */
export const forms = (path: string): Route[] => [
  form(`${path}/new`, 'new', 'blank', { ...create, several: undefined }),
  form(`${path}/{id}/edit`, 'edit', 'read', alter),
  deletion(`${path}/{id}`),
];

/** The form that confirms the removal of an item. */
const deletion = (path: string): Route => form(`${path}/delete`, 'delete', 'read', remove);

/** A control URI: GET shows a form with the current state, POST performs its action. */
const form = (path: string, kind: FormKind, shown: string, done: Operation): Route => ({
  path,
  operations: {
    GET: { action: shown, content: 'none', shape: 'form', form: kind },
    POST: { ...done, form: kind },
  },
});

/**
 * A change that is neither full replacement nor a patch: POST on the item itself. Only the properties in the body
 * change. Source: Specification 1.7.
 */
export const change = (path: string): Route[] => [{ path: `${path}/{id}`, operations: { POST: alter } }];

/** Bulk work on a collection: PUT replaces the items in the body, DELETE removes all items. */
export const bulk = (path: string): Route[] => [{ path, operations: { PUT: replaceAll, DELETE: removeAll } }];

/**
 * Items under an item of another resource: the actions `list:{parent}` and `create:{parent}` list and create them.
 */
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

/**
 * Bulk work on the items under an item of another resource, by the actions `replaceAll:{parent}` and
 * `removeAll:{parent}`.
 */
export const nestedBulk = (path: string, parent: string): Route[] => [
  {
    path,
    operations: {
      PUT: { ...replaceAll, action: `replaceAll:${parent}`, parent: `exists:${parent}` },
      DELETE: { ...removeAll, action: `removeAll:${parent}`, parent: `exists:${parent}` },
    },
  },
];

/** A read-only view below an item of another resource: one item, or a list of them. */
export const related = (path: string, action: string, shape: 'item' | 'list'): Route[] => [
  { path, operations: { GET: { action, content: 'none', shape } } },
];

/** A binary property, at the path of its item with `?fields={part}`. */
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

/** Transitions of a business process: POST on a control URI below the item. */
export const process = (path: string, { moves }: Process): Route[] =>
  Object.keys(moves).map((name) => ({
    path: `${path}/{id}/${name}`,
    operations: { POST: { action: `move:${name}`, content: 'none', form: 'move', reads: 'read' } },
  }));

/** Operations: clients list them, read them and cancel them by DELETE. People cancel them by a form. */
export const tracked = (path: string): Route[] => [
  { path, operations: { GET: list } },
  { path: `${path}/{id}`, operations: { GET: read, DELETE: remove } },
  form(`${path}/{id}/delete`, 'delete', 'cancelable', remove),
];

/** A document of the service itself. */
export const document = (path: string, action: string, parameters: readonly string[] = []): Route[] => [
  { path, operations: { GET: { action, content: 'none', shape: 'document', parameters } } },
];

/** Static bytes of the service itself, built before deployment. */
export const publication = (path: string, action: string, mediaTypes: readonly string[]): Route[] => [
  { path, operations: { GET: { action, content: 'none', shape: 'bytes', mediaTypes } } },
];
