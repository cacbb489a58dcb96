import { formatEntityTag } from '../../http/conditional/entity-tag.ts';
import {
  describedBy,
  goneMembers,
  historyLinks,
  itemLinks,
  itemMembers,
  mementoLinks,
  type Showing,
  valueMembers,
  withBasePath,
} from '../../representations/item.ts';
import { json } from '../../representations/json.ts';
import { pageLinks } from '../../representations/list.ts';
import type { Document } from '../../representations/representation.ts';
import type { Shown, State } from '../../resource/actions/outcome.ts';
import type { ResourceFacts } from '../../resource/facts.ts';
import type { LinkFact } from '../../resource/link.ts';
import { appliedLimit, type Page } from '../../resource/lists/page.ts';
import { descriptionOf } from '../../resource/resource.ts';
import type { View } from '../exchange.ts';
import { pageAddress } from './page-address.ts';
import { itemTag, listedTag } from './validators/validators.ts';

/** The document that represents a state. Bytes have no document. */
export function documentOf(exchange: View, state: Shown): Document {
  const { request, resource, endpoint, expansions, sight } = exchange;
  if (state.kind === 'emptyForm' || (state.kind === 'item' && endpoint.shape === 'form')) {
    const { route, parameters, fieldLimits } = exchange;
    const asked = { kind: endpoint.form ?? 'new', route, parameters, state, sight, fieldLimits };
    // The room for people makes the rest of a form.
    return { kind: 'form', name: descriptionOf(resource).singular, members: {}, expansions, asked };
  }
  switch (state.kind) {
    case 'item': {
      const shown = shownOf(exchange);
      const { item, memento, notice } = state;
      const links = memento
        ? mementoLinks(resource, memento, request.basePath)
        : itemLinks(resource, item, request.basePath);
      return {
        kind: 'item',
        name: resource.description?.singular ?? resource.name,
        description: sight?.description,
        members: itemMembers(resource, item, request.basePath, {
          ...shown,
          links,
          ...(memento ? { version: memento.version } : { now: request.receivedAt }),
        }),
        links,
        ...(resource.history ? { history: historyLinks(resource, item.id, request.basePath, memento) } : {}),
        expansions,
        related: state.related,
        ...(notice === undefined ? {} : { notice }),
        ...(memento && exchange.representation.isPage
          ? {
              past: {
                number: memento.version,
                before:
                  memento.previous &&
                  itemMembers(resource, memento.previous.item, request.basePath, {
                    ...shown,
                    version: memento.previous.version,
                  }),
              },
            }
          : {}),
        ...(exchange.representation.carriesForms && !memento
          ? { version: shownVersion(resource, state) }
          : {}),
      };
    }
    case 'list': {
      const links = listLinks(exchange, state.page);
      return {
        kind: 'list',
        name: resource.name,
        elementName: resource.description?.singular,
        description: sight?.description,
        members: { ...listMembers(exchange, state.page), links },
        links,
        expansions,
        selected: exchange.fields,
        versions: state.page.items.map((item) => shownRow(resource, item)),
      };
    }
    case 'document': {
      const links = state.links && withBasePath(state.links, request.basePath);
      const items = state.entries?.map(({ item, facts }) => ({
        ...facts,
        item: valueMembers(resource, item, request.basePath, { sight, version: item.version }),
      }));
      return {
        kind: 'document',
        name: state.name ?? resource.name,
        members: { ...(items ? { items } : {}), ...state.members, ...(links ? { links } : {}) },
        links,
        ...(items || state.about ? { description: sight?.description, expansions } : {}),
        ...(state.rows ? { description: state.rows.description, rows: state.rows } : {}),
        about: state.about && valueMembers(resource, state.about, request.basePath, { sight }),
        compared: state.compared,
        plain: state.plain,
        asks: state.asks,
      };
    }
  }
}

/**
 * The entity tag of the version that a form shows; undefined if look-up read nothing. The progress of an operation
 * changes its version, so a form that cancels it expects none.
 */
export function shownVersion(
  { revision, tracked }: ResourceFacts,
  state: State | undefined,
): string | undefined {
  if (tracked) return undefined;
  if (state?.kind === 'item') return formatEntityTag(itemTag(state.item.version, revision, json.suffix));
  const version =
    state?.kind === 'bytes' ? state.bytes.etag : state?.kind === 'emptyForm' ? state.version : undefined;
  return version && formatEntityTag(version);
}

/** The version of an item in a list. The row of a file has another one than the file. */
const shownRow = (
  { tracked, description }: ResourceFacts,
  item: Page['items'][number],
): number | undefined =>
  tracked || description?.identifier.kind === 'text' || 'gone' in item ? undefined : item.version;

/**
 * The properties and related items to show. A page always shows links, because its navigation and its buttons need
 * them. It shows related items by their names alone.
 */
const shownOf = ({ fields, expansions, representation, sight }: View): Showing =>
  representation.namesRelated
    ? { only: fields && new Set([...fields, 'links']), sight }
    : { only: fields, expansions, sight };

/** Returns the parameters without effect, and the sort keys of a list that no item has. Source: Specification 4.21. */
export function ignoredBy({ ignored }: Pick<View, 'ignored'>, state: Shown): readonly string[] {
  const keys = state.kind === 'list' ? (state.page.unknownKeys ?? []) : [];
  return [...ignored, ...keys.map((name) => `sort=${name}`)];
}

/** The list envelope without its links. */
function listMembers(exchange: View, page: Page): Document['members'] {
  const { request, resource, page: query } = exchange;
  // A page selects columns, so that it still names and links each item.
  const { isPage } = exchange.representation;
  const shown = isPage ? { sight: exchange.sight } : shownOf(exchange);
  const showing = { ...shown, isPart: true, now: request.receivedAt };
  const ignored = ignoredBy(exchange, { kind: 'list', page });
  return {
    items: page.items.map((item) =>
      'gone' in item
        ? goneMembers(resource, item.gone)
        : itemMembers(resource, item, request.basePath, { ...showing, etag: listedTag(exchange, item) }),
    ),
    // The form above the list asks for the same limit again.
    limit: isPage ? query.limit : appliedLimit(query, page),
    offset: query.offset,
    ...(page.total === undefined ? {} : { total: page.total }),
    ...(ignored.length > 0 ? { ignored } : {}),
  };
}

/** The links of a list: to other pages, to its schema, and of the whole list to its custom actions. */
const listLinks = (exchange: View, page: Page): LinkFact[] => {
  const { request, resource, route } = exchange;
  const own = route.path === `/${resource.name}` ? (resource.listLinks ?? []) : [];
  return [
    ...pageLinks(pageAddress(exchange), exchange.page, page),
    describedBy(resource.name, request.basePath),
    ...withBasePath(own, request.basePath),
  ];
};
