import { formatLinks } from '../../http/fields/link.ts';
import { MAXIMUM_TEXT } from '../../http/maximum-sizes.ts';
import { brief, PROBLEMS, problemDetails, type Room } from '../../http/problem.ts';
import type { Response } from '../../http/response.ts';
import { itemMembers, withBasePath } from '../../representations/item.ts';
import type { Document } from '../../representations/representation.ts';
import type { Outcome, Result } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import type { Understood } from '../exchange.ts';
import { applyReturnPreference, cacheHeaders } from './cache-and-validators.ts';
import { listedTag } from './validators/validators.ts';

type Several = Extract<Outcome, { kind: 'several' }>;

/**
 * The response to a request with several items: their list. It is a 201 if any item is new, otherwise a 200. A client
 * that wants the result of each item gets a 207 with a status for each, in the order of the request. The response has
 * no entity tag, because it does not represent the target.
 *
 * Source: RFC 9110 §15.3; RFC 4918 §13 (Multi-Status); Specification 5.20, 9.4, 9.5.
 */
export async function severalResponse(
  exchange: Understood,
  { results, location, only: path, perElement }: Several,
): Promise<Response> {
  const { request, representation } = exchange;
  const status = perElement ? 207 : results.some(({ kind }) => kind === 'created') ? 201 : 200;
  const Location = request.basePath + (path ?? location);
  const headers: Record<string, string> = status === 201 ? { Location } : {};
  const links = withBasePath([{ rel: 'collection', href: location }], request.basePath);
  const write = (only?: ReadonlySet<string>) => {
    const document = status === 207 ? mixed(exchange, results, only) : listOf(exchange, results, only);
    return representation.write({ ...document, members: { ...document.members, links } }, exchange);
  };
  const shown = async (): Promise<Response> => {
    const whole = await write();
    // The effect is complete, so the response must succeed. A body that is too large shows only identifiers and
    // links.
    const body = Buffer.byteLength(whole) > MAXIMUM_TEXT ? await write(namesOf(exchange)) : whole;
    return {
      status,
      headers: {
        'Content-Type': representation.contentType,
        ...cacheHeaders(exchange, undefined),
        Vary: 'Accept, Prefer',
        Link: formatLinks(links),
        ...representation.headers,
        ...headers,
      },
      body,
    };
  };
  // A 207 always has a body, because the client needs the result of each item.
  return status === 207
    ? shown()
    : applyReturnPreference(exchange, { status: status === 201 ? 201 : 204, headers }, shown);
}

/** The properties that identify an item. */
const namesOf = ({ resource }: Understood): ReadonlySet<string> =>
  new Set([resource.description?.identifier.name ?? 'id', 'links']);

/** The items as a list. */
function listOf(exchange: Understood, results: readonly Result[], only?: ReadonlySet<string>): Document {
  const { request, resource, sight } = exchange;
  const now = request.receivedAt;
  const shown = (item: Item) => ({ only, sight, isPart: true, etag: listedTag(exchange, item), now });
  return {
    kind: 'list',
    name: resource.name,
    elementName: resource.description?.singular,
    description: sight?.description,
    members: {
      items: results.flatMap((one) =>
        one.kind === 'refused' ? [] : [itemMembers(resource, one.item, request.basePath, shown(one.item))],
      ),
    },
  };
}

/** Maximum number of causes, and of characters in their texts, in all problems of one response together. */
const CAUSES = 500;
const CHARACTERS = 400_000;

/** How much of these maximums each problem gets. */
function roomOf(results: readonly Result[]): Room {
  const refused = results.filter(({ kind }) => kind === 'refused').length;
  const causes = Math.max(1, Math.floor(CAUSES / refused));
  return { causes, characters: Math.floor(CHARACTERS / refused / (1 + 2 * causes)) };
}

/** Properties of a result that an item may also have. */
const OWN = ['status', 'href', 'problem'];

/**
 * The results as a list. Each has a status, an address, and the problem or the properties of the item. If the names
 * of properties could clash, the item is in a property of its own.
 */
function mixed(exchange: Understood, results: readonly Result[], only?: ReadonlySet<string>): Document {
  const { resource, request, sight } = exchange;
  const { basePath, requestId } = request;
  const { fields = {}, open } = resource.description ?? {};
  const clash = open || OWN.some((name) => Object.hasOwn(fields, name));
  const room = roomOf(results);
  const items = results.map((one) => {
    const href = basePath + one.location;
    if (one.kind === 'refused') {
      const { status } = PROBLEMS[one.problem.name];
      const where = { basePath, instance: href, requestId };
      return { status, href, problem: problemDetails(brief(one.problem, room), where) };
    }
    const status = one.kind === 'created' ? 201 : 200;
    const etag = listedTag(exchange, one.item);
    const members = itemMembers(resource, one.item, basePath, {
      only,
      sight,
      isPart: true,
      etag,
      now: request.receivedAt,
    });
    return { status, href, ...(clash ? { item: members } : members) };
  });
  return { kind: 'results', name: resource.name, description: sight?.description, members: { items } };
}
