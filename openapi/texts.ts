import type { Resource } from '../shared/resource/resource.ts';
import type { Target, Targets } from './targets.ts';

const words = (path: string): string[] =>
  path
    .split('/')
    .flatMap((segment) =>
      segment.startsWith('{') ? ['by', segment.slice(1, -1)] : segment.split(/[^A-Za-z0-9]+/),
    )
    .filter((word) => word !== '');

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `GET /customers/{id}/orders` is `getCustomersByIdOrders`: unique and stable, as method and path are. */
export const operationId = (method: string, path: string): string =>
  method.toLowerCase() + (words(path).map(capital).join('') || 'Home');

const VERBS = {
  items: 'replace',
  item: 'replace',
  change: 'change',
  patch: 'patch',
  bytes: 'store',
  files: 'store',
} as const;

const a = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** ` of a customer`, where the path begins with another resource's item. */
function ofOwner({ route, resource }: Target, registry: readonly Resource[]): string {
  const owner = registry.find(({ name }) => name === route.path.split('/')[1]);
  return owner && owner !== resource && owner.description ? ` of ${a(owner.description.singular)}` : '';
}

function wholeSummary(target: Target, registry: readonly Resource[]): string {
  const { resource, route, method, operation } = target;
  const { description } = resource;
  if (!description) return `Read ${route.path}`;
  const one = description.singular;
  const owner = ofOwner(target, registry);
  if (operation.shape === 'form') return `A form: ${operation.form} ${a(one)}`;
  if (operation.form === 'move') return `${capital(route.path.split('/').at(-1) as string)} ${a(one)}`;
  if (operation.content === 'files') return `Store several ${resource.title.toLowerCase()}`;
  if (operation.content !== 'none') {
    const verb = operation.content === 'item' && operation.creates ? 'create' : VERBS[operation.content];
    return `${capital(verb)} ${a(one)}${owner}`;
  }
  if (operation.bulk) {
    const plural = resource.title.toLowerCase() + owner;
    return method === 'DELETE' ? `Delete all ${plural}` : `Replace several ${plural}`;
  }
  if (method === 'DELETE' || operation.form === 'delete') return `Delete ${a(one)}`;
  if (operation.shape === 'list') return `List ${resource.title.toLowerCase()}${owner}`;
  return owner ? `Read the ${one}${owner}` : `Read ${a(one)}`;
}

/** What an operation does, in a few words. */
export function summary([whole, ...parts]: Targets, registry: readonly Resource[]): string {
  const also = parts.map(({ route }) => `, or its ${route.part}`);
  return wholeSummary(whole, registry) + also.join('');
}

const CONTENT_NOTES = {
  none: '',
  item: 'Takes a complete representation. An item has at most 256 KiB, a body 1 MB, nested at most 64 levels.',
  items:
    'Several complete representations, each with its number. All or, with `Prefer: handling=lenient`, each by itself.',
  change: 'The members in the body change, the others stay.',
  patch:
    'Atomic: a patch applies as a whole or not at all. A patch that changes nothing leaves version and ETag.',
  bytes: 'The content is stored as it is, at most 4 MiB.',
  files:
    'Several files at once, each at most 4 MiB. What fails does not keep the others from being stored; with `Prefer: handling=strict` none is where something is wrong with one. Without content it is a manifest: the answer says where the bytes are sent, up to 5 TB; the operation ends when they are there.',
} as const;

const SHAPE_NOTES = {
  item: '',
  list: 'A page. Its `next` and `prev` links lead to the others.',
  bytes: 'Bytes as they are stored, whole or in ranges; more than 4 MiB are fetched where a redirect leads.',
  document: '',
  form: 'A page with a form, for people.',
} as const;

/** What is to be known of an operation beside its parameters and answers. */
export function description(targets: Targets): string {
  const notes = targets.map((target) => {
    const { content, shape } = target.operation;
    return CONTENT_NOTES[content] || (shape ? SHAPE_NOTES[shape] : '');
  });
  return [...new Set(notes.filter((note) => note !== ''))].join(' ') || targets[0].resource.about;
}
