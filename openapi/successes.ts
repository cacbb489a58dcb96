import { ranges, representations, storedBytes } from './content.ts';
import { accepted, isDeferrable, isOfOperations } from './deferral.ts';
import { exampleItem, exampleList } from './examples.ts';
import { headerRefs } from './headers.ts';
import { linksOf } from './links.ts';
import { type Response, ref, type Schema } from './model.ts';
import { pascal, schemaNames } from './schemas.ts';
import { severalNames, takesSeveral } from './several.ts';
import { isFormTarget, isRelated, type Path, type Target } from './targets.ts';

/** What a response is made from, beside its target. */
export interface Surroundings {
  readonly paths: readonly Path[];
  readonly basePath: string;
}

const CACHED = ['Cache-Control', 'ETag', 'Last-Modified', 'Vary'];
const PREFERRED = ['Preference-Applied'];
/** What pages for people carry besides. */
const PAGE = ['Content-Security-Policy', 'Referrer-Policy'];

/** The answers to a request that went well, by status. Source: RFC 9110 §15.3, §15.4.5; conventions, "Success status codes". */
export function successes(target: Target, around: Surroundings): Record<string, Response> {
  const later: Record<string, Response> =
    isDeferrable(target) || (target.method !== 'GET' && isOfOperations(target))
      ? { 202: accepted(target, around) }
      : {};
  return { ...atOnce(target, around), ...later };
}

function atOnce(target: Target, around: Surroundings): Record<string, Response> {
  const { method, operation } = target;
  if (method === 'GET') return operation.shape === 'bytes' ? readBytes(target) : read(target, around);
  if (method === 'DELETE') return { 204: { description: 'It is gone.', headers: headerRefs(PREFERRED) } };
  const replayed = method === 'POST' || method === 'PATCH' ? ['Idempotency-Replayed'] : [];
  const state = [...PAGE, ...CACHED, ...PREFERRED, ...replayed, 'Content-Location', 'Link'];
  const created = shown(target, around, 'It was created. No content after `Prefer: return=minimal`.', [
    ...state,
    'Location',
  ]);
  const sentOn: Record<string, Response> =
    isFormTarget(target) || operation.content === 'files' ? { 303: SENT_ON } : {};
  if (operation.content === 'items') return severalItems(target);
  if (operation.content === 'item' && operation.creates)
    return {
      201: takesSeveral(target) ? oneOrSeveral(target, created) : created,
      ...each(target),
      ...sentOn,
    };
  if (operation.form === 'delete')
    return {
      204: { description: 'It is gone.', headers: headerRefs([...PREFERRED, ...replayed]) },
      ...sentOn,
    };
  if (operation.content === 'files') return { ...severalFiles(target), ...sentOn };
  return {
    ...(operation.content === 'bytes' ? { 201: created } : {}),
    200: shown(target, around, 'It was changed; this is what it is now.', state),
    204: {
      description: 'It was changed, and `Prefer: return=minimal` asked for no content.',
      headers: headerRefs([...PREFERRED, ...replayed, 'ETag']),
    },
    ...sentOn,
  };
}

/** Several items as they are now. */
const written = (target: Target): Schema =>
  ref('schemas', severalNames(schemaNames(target.resource).list).written);

function oneOrSeveral(target: Target, created: Response): Response {
  const item = ref('schemas', schemaNames(target.resource).item);
  return { ...created, content: representations(target, { anyOf: [item, written(target)] }) };
}

const SEVERAL = [...PAGE, ...PREFERRED, 'Cache-Control', 'Idempotency-Replayed', 'Link', 'Vary'];

/** Each by itself. */
function each(target: Target): Record<string, Response> {
  if (!takesSeveral(target)) return {};
  const { results } = severalNames(schemaNames(target.resource).list);
  return {
    207: {
      description: 'After `Prefer: handling=lenient`: each has its status, and what failed its problem.',
      headers: headerRefs(SEVERAL),
      content: representations(target, ref('schemas', results)),
    },
  };
}

const severalItems = (target: Target): Record<string, Response> => ({
  200: {
    description: 'All of them were changed; this is what they are now.',
    headers: headerRefs(SEVERAL),
    content: representations(target, written(target)),
  },
  204: { description: 'All of them were changed.', headers: headerRefs(PREFERRED) },
  ...each(target),
});

/** A browser that sent a form reads on elsewhere. Source: RFC 9110 §15.4.4. */
const SENT_ON: Response = {
  description: 'It was done; a browser (`Accept` prefers text/html) reads on where `Location` leads.',
  headers: headerRefs(['Cache-Control', 'Location', 'Idempotency-Replayed', ...PREFERRED]),
};

function severalFiles(target: Target): Record<string, Response> {
  const headers = headerRefs([
    ...PAGE,
    'Cache-Control',
    'Idempotency-Replayed',
    'Link',
    'Location',
    'Preference-Applied',
    'Vary',
  ]);
  const content = representations(target, ref('schemas', 'StoredFiles'));
  return {
    201: { description: 'All of them are new.', headers, content },
    200: { description: 'All of them replaced others.', headers, content },
    204: { description: 'All of them replaced others.', headers },
    207: {
      description: 'Some are new, some replaced others, some failed: each has its status.',
      headers,
      content,
    },
  };
}

/** An answer that shows the item. */
function shown(
  target: Target,
  { paths, basePath }: Surroundings,
  description: string,
  headers: readonly string[],
): Response {
  const { resource } = target;
  const schema = ref('schemas', schemaNames(resource).item);
  return {
    description,
    headers: headerRefs(headers),
    content: representations(target, schema, exampleItem(resource, basePath)),
    links: linksOf(resource, paths, (identifier) => `$response.body#/${identifier}`),
  };
}

function read(target: Target, around: Surroundings): Record<string, Response> {
  const unchanged: Response = {
    description: 'What the client has is current.',
    headers: headerRefs(CACHED),
  };
  const headers = [...PAGE, ...CACHED, ...PREFERRED, 'Link'];
  const isStatus = isOfOperations(target) && target.operation.shape === 'item';
  if (!isStatus) return { 200: readState(target, around, headers), 304: unchanged };
  const shows = readState(target, around, [...headers, 'Content-Location', 'Refresh', 'Retry-After']);
  const created = readState(target, around, [...headers, 'Location']);
  return {
    200: shows,
    303: { ...created, description: 'It has created what `Location` leads to.' },
    304: unchanged,
  };
}

function readState(target: Target, around: Surroundings, headers: readonly string[]): Response {
  const { resource, route, operation } = target;
  const { paths, basePath } = around;
  switch (operation.shape) {
    case 'list':
      return {
        description: 'A page of the list.',
        headers: headerRefs(headers),
        content: representations(
          target,
          listSchema(target),
          exampleList(resource, exampleOf(route.path), basePath),
        ),
        links: linksOf(resource, paths, (identifier) => `$response.body#/items/0/${identifier}`),
      };
    case 'item': {
      const stands = route.path === `/${resource.name}/{id}` ? [] : ['Content-Location'];
      return shown(target, around, 'The current state.', [...headers, ...stands]);
    }
    default:
      return {
        description: 'The document.',
        headers: headerRefs(headers),
        content: representations(target, ref('schemas', pascal(operation.action))),
      };
  }
}

/** A list below another resource's item may name an item that does not exist any more. */
function listSchema(target: Target): Schema {
  const { list, related } = schemaNames(target.resource);
  return ref('schemas', isRelated(target, target.route.path) ? related : list);
}

function readBytes(target: Target): Record<string, Response> {
  const stored = ['Cache-Control', 'ETag', 'Last-Modified'];
  const headers = headerRefs([
    ...stored,
    ...PREFERRED,
    'Accept-Ranges',
    'Content-Digest',
    'Content-Disposition',
    'Content-Security-Policy',
    ...(target.operation.mediaTypes ? ['Link'] : []),
    'Referrer-Policy',
    'Repr-Digest',
  ]);
  return {
    200: { description: 'The bytes as they were stored.', headers, content: storedBytes(target) },
    206: {
      description: 'The range that was asked for, or several as parts.',
      headers: { ...headers, ...headerRefs(['Content-Range']) },
      content: ranges(target),
    },
    304: { description: 'What the client has is current.', headers: headerRefs(stored) },
    ...(target.operation.mediaTypes || target.route.part
      ? {}
      : {
          307: {
            description:
              'More than an answer can carry: it is fetched where `Location` leads, for some minutes.',
            headers: headerRefs(['Cache-Control', 'Location', ...PREFERRED]),
          },
        }),
  };
}

/** A path of the form of this template. */
const exampleOf = (template: string): string => template.replace(/\{\w+\}/, '114811818447734');
