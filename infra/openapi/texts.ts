import type { Resource } from '../../shared/resource/resource.ts';
import { isLater, type Target, type Targets } from './targets.ts';

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

const a = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** ` of a customer`, where the path begins with another resource's item. */
function ofOwner({ route, resource }: Target, registry: readonly Resource[]): string {
  const owner = registry.find(({ name }) => name === route.path.split('/')[1]);
  return owner && owner !== resource && owner.description ? ` of ${a(owner.description.singular)}` : '';
}

function wholeSummary(target: Target, registry: readonly Resource[]): string {
  const { resource, route, method, operation } = target;
  const one = resource.description?.singular ?? resource.title.toLowerCase();
  const many = resource.title.toLowerCase();
  const last = route.path.split('/').at(-1) as string;
  if (isLater(target)) return `${capital(words(route.path).join(' '))}: not built yet`;
  switch (operation.content) {
    case 'item':
      return operation.creates ? `Create ${a(one)}${ofOwner(target, registry)}` : `Replace ${a(one)}`;
    case 'change':
      return `Change members of ${a(one)}`;
    case 'patch':
      return `Patch ${a(one)}`;
    case 'bytes':
      return `Store ${a(one)}`;
    default:
      break;
  }
  if (method === 'DELETE') return `Delete ${a(one)}`;
  if (operation.shape === 'list') return `List ${many}${ofOwner(target, registry)}`;
  if (operation.shape === 'item')
    return `Read the ${one}${ofOwner(target, registry)}`.replace(
      'Read the',
      ofOwner(target, registry) ? 'Read the' : `Read ${a(one).split(' ')[0]}`,
    );
  return resource.description
    ? `Read ${a(one)}`
    : `${resource.title}: ${last.startsWith('{') ? words(route.path)[0] : last || 'home'}`;
}

/** What an operation does, in a few words. */
export function summary([whole, ...parts]: Targets, registry: readonly Resource[]): string {
  const also = parts.map(({ route }) => `, or its ${route.part}`);
  return wholeSummary(whole, registry) + also.join('');
}

const CONTENT_NOTES = {
  none: '',
  item: 'Takes a complete representation. An item has at most 256 KiB, a body 1 MB, nested at most 64 levels.',
  change: 'The members in the body change, the others stay.',
  patch:
    'Atomic: a patch applies as a whole or not at all. A patch that changes nothing leaves version and ETag.',
  bytes: 'The content is stored as it is, at most 4 MiB.',
} as const;

/** What is to be known of an operation beside its parameters and answers. */
export function description(targets: Targets): string {
  const notes = targets.map((target) => {
    if (isLater(target)) return 'Part of the design, but not built yet: answered with 501.';
    const { operation } = target;
    const read = operation.shape === 'list' ? 'A page. Its `next` and `prev` links lead to the others.' : '';
    const written = CONTENT_NOTES[operation.content];
    return read || written || operation.shape === 'bytes' ? read || written || 'Bytes, with ranges.' : '';
  });
  return [...new Set(notes.filter((note) => note !== ''))].join(' ') || 'Nothing more needs to be known.';
}
