import { CONCURRENCY, mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { answer } from '../../shared/flow/answer.ts';
import { problemResponse } from '../../shared/flow/response/problem.ts';
import { respond } from '../../shared/flow/response/respond.ts';
import { itemTag } from '../../shared/flow/response/validators/validators.ts';
import { formatEntityTag } from '../../shared/http/conditional/entity-tag.ts';
import { pairsOf, withQuery } from '../../shared/http/paths.ts';
import { type Problem, problem as problemOf } from '../../shared/http/problem.ts';
import type { Request } from '../../shared/http/request.ts';
import type { Response } from '../../shared/http/response.ts';
import { type FormFields, KEY_INPUT } from '../../shared/representations/forms/inputs.ts';
import { json } from '../../shared/representations/json.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { namesItemAlone, restores } from '../../shared/resource/route.ts';
import { namesIn } from '../content/newest.ts';
import type { PageDocument, TickedResult } from '../page-document.ts';
import {
  EFFECT_PARAMETER,
  FORMAT_PARAMETER,
  MADE_PARAMETER,
  ROW_INPUT,
  rowValue,
  WITH_INPUT,
} from '../page-inputs.ts';
import { overviewOf } from './overview.ts';
import { leadTo, pageResponse } from './responses.ts';

/** Rows of one request at most. A page of a list has more only if the person chooses so. */
const MAXIMUM_ROWS = 250;
/** Rows of one undo at most: an address names them. */
const MAXIMUM_UNDO = 100;

/** A ticked row: the identifier of its item, and the version that the row shows. */
interface Row {
  readonly id: string;
  readonly version: number | undefined;
}

function rowOf(value: string): Row {
  const [, version, id = value] = /^(\d*)\.(.+)$/.exec(value) ?? [];
  return { id, version: version ? Number(version) : undefined };
}

/**
 * Does something with the ticked rows of a list: it downloads them, or sends one ordinary request for each item, up to
 * 16 at the same time. The undo of a deletion sends the deleted rows, with their last versions. Each request passes all
 * steps of the flow, so it has the rights, the checks and the effects of the button on the page of its item. Success
 * leads back to the list. Otherwise a page has the result of each row.
 *
 * Source: Specification 6.14.
 */
export async function withTicked(
  resource: Resource,
  request: Request,
  fields: FormFields,
): Promise<Response> {
  const { basePath, path, query } = request;
  const rows = [...new Set(fields.get(ROW_INPUT))].map(rowOf);
  if (rows.length > MAXIMUM_ROWS) {
    const detail = `The form has ${rows.length} ticked rows. Tick at most ${MAXIMUM_ROWS}`;
    return problemResponse(problemOf('payload-too-large', detail), request);
  }
  const wanted = fields.get(WITH_INPUT)?.[0] ?? '';
  const list = pairsOf(query).filter(([name]) => !OF_EFFECT.includes(name));
  if (wanted === 'csv' && rows.length > 0) {
    const id = idsOf(rows);
    const search = new URLSearchParams({ id, limit: String(MAXIMUM_ROWS), [FORMAT_PARAMETER]: 'csv' });
    return leadTo(`${basePath}/${resource.name}?${search}`);
  }
  const target = targetOf(resource, wanted);
  if (!target || rows.length === 0) return leadTo(withQuery(basePath + path, list));
  const key = fields.get(KEY_INPUT)?.[0] ?? request.requestId;
  const results = await mapConcurrently(CONCURRENCY.items, rows, (row) =>
    send(resource, request, target, row, key),
  );
  const deleted = results.flatMap(({ deleted: row }) => row ?? []);
  const undo = restores(resource) && deleted.length <= MAXIMUM_UNDO ? deleted : [];
  const effect = `${EFFECTS[wanted] ?? wanted}.${results.filter(({ problem }) => !problem).length}`;
  if (results.every(({ problem }) => !problem)) {
    const [only] = results;
    if (wanted === 'restore' && only && results.length === 1)
      return leadTo(withQuery(only.href, [[EFFECT_PARAMETER, 'restored']]));
    const made: [string, string][] = undo.length > 0 ? [[MADE_PARAMETER, undo.join()]] : [];
    return leadTo(withQuery(basePath + path, [...list, [EFFECT_PARAMETER, effect], ...made]));
  }
  const failed = results.flatMap(({ problem }, at) => (problem ? (rows[at] ?? []) : []));
  const named = await overviewOf([resource], request, []).list(resource, {
    [resource.description?.identifier.name ?? 'id']: idsOf(failed),
    limit: String(MAXIMUM_ROWS),
    ...namesIn(resource, request),
  });
  const document: PageDocument = {
    kind: 'results',
    name: 'results',
    description: resource.description,
    members: {},
    ticked: { results, action: withQuery(basePath + path, list), wanted, effect, found: named, undo },
  };
  const page = await pageResponse(200, document, { request, resource });
  return { ...page, fault: results.find(({ fault }) => fault)?.fault };
}

/** Returns the identifiers of rows, as a filter takes them. */
const idsOf = (rows: readonly Row[]): string => rows.map(({ id }) => id.replaceAll(',', '\\,')).join(',');

const OF_EFFECT = [EFFECT_PARAMETER, MADE_PARAMETER];
const EFFECTS: Readonly<Record<string, string>> = { delete: 'deleted', restore: 'restored' };

/** The request of a button: a method and a path template with the identifier, and the version if it restores one. */
interface Target {
  readonly method: 'DELETE' | 'POST';
  readonly template: string;
}

/** Returns undefined if the resource has no such transition, or if people cannot delete its items. */
function targetOf({ routes }: Resource, wanted: string): Target | undefined {
  const isWanted = ({ form, id }: { readonly form?: string; readonly id: string }) =>
    wanted === 'delete' ? form === 'delete' : form === 'transition' && id === wanted;
  const route = routes.find(
    ({ path, endpoints: { POST } }) =>
      POST && isWanted(POST) && (namesItemAlone(path) || POST.takes === 'version'),
  );
  if (!route) return undefined;
  return wanted === 'delete'
    ? { method: 'DELETE', template: route.path.replace(/\/delete$/, '') }
    : { method: 'POST', template: route.path };
}

/** The result of a row. `deleted`: the row of the item that this request has deleted. `fault`: the error of an engine. */
interface SentRow extends TickedResult {
  readonly deleted?: string;
  readonly fault?: unknown;
}

async function send(
  resource: Resource,
  request: Request,
  { method, template }: Target,
  { id, version }: Row,
  key: string,
): Promise<SentRow> {
  const { cookie, authorization, origin, 'sec-fetch-site': site } = request.headers;
  const parameters = Object.fromEntries(
    [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      name === 'version' ? `${version}` : id,
    ]),
  );
  const href = `${request.basePath}/${resource.name}/${encodeURIComponent(id)}`;
  const shown =
    version === undefined || parameters.version
      ? undefined
      : formatEntityTag(itemTag(version, resource.revision, json.suffix));
  let problem: Problem | undefined;
  const row: Request = {
    ...request,
    method,
    template,
    path: template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? '')),
    parameters,
    query: new Map(),
    // A form that arrives twice has one effect.
    headers: {
      cookie,
      authorization,
      origin,
      'sec-fetch-site': site,
      'idempotency-key': `${key}.${id}`,
      'if-match': shown,
      // An item that exists again can have changes of another person since.
      'if-none-match': parameters.version ? '*' : undefined,
    },
    content: () => undefined,
  };
  const refuse = (refused: Problem) => {
    problem = refused;
    return problemResponse(refused, row);
  };
  const { status, fault } = await answer(resource, row, { respond, refuse });
  // Another person may have deleted the item.
  if (method === 'DELETE' && status === 404) return { id, href };
  problem ??= fault === undefined ? undefined : UNAVAILABLE;
  return {
    id,
    href,
    problem,
    fault,
    ...(method === 'DELETE' && !problem && version !== undefined ? { deleted: rowValue(id, version) } : {}),
  };
}

/** The refusal of a row whose storage does not respond. */
const UNAVAILABLE = problemOf('unavailable', 'The storage does not respond');
