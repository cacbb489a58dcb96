import { capitalize } from '../shared/resource/description/fields.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { isCustomAction } from '../shared/resource/route.ts';
import { binaryOf, type Target } from './targets.ts';

const words = (path: string): string[] =>
  path
    .split('/')
    .flatMap((segment) =>
      segment.startsWith('{') ? ['by', segment.slice(1, -1)] : segment.split(/[^A-Za-z0-9]+/),
    )
    .filter((word) => word !== '');

/** Returns the words of a text as one name. */
export const pascal = (text: string): string => (text.match(/[A-Za-z0-9]+/g) ?? []).map(capitalize).join('');

/** Returns the name of the component of a parameter: `IfMatchParameter`. */
export const parameterName = (name: string): string => `${pascal(name)}Parameter`;

/**
 * `GET /customers/{id}/orders` is `getCustomersByIdOrders`. The name is unique, and stable as long as method and path
 * are.
 */
export const operationId = (method: string, path: string): string =>
  method.toLowerCase() + (words(path).map(capitalize).join('') || 'Home');

const VERBS = {
  item: 'replace',
  change: 'change',
  patch: 'patch',
  bytes: 'store',
} as const;

/**
 * Returns the summary of a custom action without one: `Remind an invoice`, or `Import invoices` for one of the collection.
 */
const ofCustom = ({ resource, route, endpoint: { id } }: Target, one: string): string =>
  `${capitalize(id)} ${route.endpoints.POST?.takes === 'customOfList' ? resource.title.toLowerCase() : a(one)}`;

const a = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** ` of a customer`, if the path begins with an item of another resource. */
function ofOwner({ route, resource }: Target, registry: readonly Resource[]): string {
  const owner = registry.find(({ name }) => name === route.path.split('/')[1]);
  return owner && owner !== resource && owner.description ? ` of ${a(owner.description.singular)}` : '';
}

function wholeSummary(target: Target, registry: readonly Resource[]): string {
  const { resource, route, method, endpoint } = target;
  const { description } = resource;
  if (endpoint.summary !== undefined) return endpoint.summary;
  if (!description) return `Read ${route.path}`;
  const one = description.singular;
  const owner = ofOwner(target, registry);
  if (isCustomAction(endpoint)) return ofCustom(target, one);
  if (endpoint.form === 'transition') return `${capitalize(endpoint.id)} ${a(one)}`;
  if (endpoint.id === 'renew') return `Renew the ${route.path.split('/').at(-1)} of ${a(one)}`;
  const plural = resource.title.toLowerCase() + owner;
  if (endpoint.content === 'files') return `Store one or several ${plural}`;
  if (endpoint.content === 'items') return `Replace several ${plural}`;
  if (endpoint.content !== 'none' && endpoint.content !== 'body') {
    const verb = endpoint.content === 'item' && endpoint.creates ? 'create' : VERBS[endpoint.content];
    return endpoint.several
      ? `${capitalize(verb)} one or several ${plural}`
      : `${capitalize(verb)} ${a(one)}${owner}`;
  }
  if (endpoint.bulk) return `Delete all ${plural}`;
  if (method === 'DELETE') return `Delete ${a(one)}`;
  if (endpoint.shape === 'list') return `List ${plural}`;
  return owner ? `Read the ${one}${owner}` : `Read ${a(one)}`;
}

/** The verb of a method for the bytes of a binary property. */
const OF_BYTES: Readonly<Record<string, string>> = { GET: 'Read', PUT: 'Store', DELETE: 'Delete' };

/** Returns the summary of an operation. */
export function summary(target: Target, registry: readonly Resource[]): string {
  const binary = binaryOf(target);
  if (binary === undefined) return wholeSummary(target, registry);
  return `${OF_BYTES[target.method]} the ${binary} of ${a(target.resource.description?.singular ?? 'item')}`;
}

const CONTENT_NOTES = {
  none: '',
  item: 'Takes a complete representation. An item has at most 256 KiB, a body 1 MB, nested at most 64 levels.',
  items:
    'Replaces several items: takes complete representations, each with its identifier. The service applies all or none, or with `Prefer: handling=lenient` each separately.',
  change: 'Changes the properties in the body. The others stay as they are.',
  patch:
    'The service applies a patch as a whole or not at all. After a patch without effect, version and ETag stay.',
  body: 'The service applies all effects of the action or none.',
  bytes: 'The service stores the content unchanged. It has at most 4 MiB.',
  files:
    'Stores several files, each of at most 4 MiB: all or none. With `Prefer: handling=lenient`, a failed file does not affect the others. Files without content are a manifest: the response has upload links for up to 5 TB each, and the operation completes when all bytes have arrived. Links are valid for an hour; `POST /operations/{id}/links` signs new ones.',
} as const;

const SHAPE_NOTES: Readonly<Record<string, string>> = {
  list: 'A page of the list. Its `next` and `prev` links lead to the other pages.',
  bytes: 'The stored bytes, whole or in ranges. Above 4 MiB, the service redirects to a URL of S3.',
};

/**
 * Returns the notes on an operation, in addition to its parameters and responses. They name a format that has not the values
 * of the others: one response has one schema, because generators make a choice of types from several.
 */
export function description({ endpoint: { about, content, shape, plain }, resource }: Target): string {
  const notes = about ?? (CONTENT_NOTES[content] || (shape && SHAPE_NOTES[shape]) || resource.about);
  return plain ? `${notes} \`Accept: ${plain}\` gets this format.` : notes;
}
