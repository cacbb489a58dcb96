import { type EventSource, selects, sourcesOf } from '../../shared/events/webhooks/matching.ts';
import type { Fault } from '../../shared/http/problem.ts';
import { scopeFor } from '../../shared/resource/access/access.ts';
import { lacksTenant } from '../../shared/resource/access/owner.ts';
import { hasScope } from '../../shared/resource/access/sight.ts';
import type { Calls } from '../../shared/resource/actions/action.ts';
import { instantOf } from '../../shared/resource/kinds/times.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { POSITIONS_OF_MS, partitionsOf } from '../../shared/store/form/log-table.ts';
import { formatPositions, type KnownPosition, type LogPosition, parsePositions } from './cursor.ts';
import { beginning } from './follow.ts';
import type { Start } from './places.ts';

const DEFAULT_LIMIT = 100;
const MAXIMUM_LIMIT = 1000;
/** A writer's clock may be behind the clock that stored the change: the log has such a change at an earlier place. */
const CLOCKS_MS = 60_000;

/** The subject of a token. */
const SUBJECT = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]{1,255}$/;

/** The names of the query parameters. */
export const [RESOURCE, TYPE, SINCE, BY, LIMIT, AFTER] = [
  'resource',
  'type',
  'since',
  'by',
  'limit',
  'after',
] as const;

/** What a client wants to read of the log. */
export interface ChangesQuery {
  readonly starts: readonly Start[];
  /** By the names of their resources: those whose changes the caller may read, and wants. */
  readonly resources: ReadonlyMap<string, Resource>;
  readonly limit: number;
  /** The only author; undefined: every author. */
  readonly by: string | undefined;
  /** True if the client wants an event of this type and time (RFC 3339), which is at this position of the log. */
  wants(event: { readonly type: string; readonly time: string }, position: number): boolean;
  /** The path and the query of the page after these positions. */
  next(positions: ReadonlyMap<string, LogPosition>): string;
}

/** Reads the query. The caller reads the changes of resources whose items it may read. Source: Specification 17.2, 17.5. */
export function readChangesQuery(
  registry: readonly Resource[],
  sources: readonly EventSource[],
  { caller, reader, query, now }: Calls['changes'],
): ChangesQuery | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const given = (parameter: string): string | undefined => query[parameter]?.[0];
  const refuse = (parameter: string, detail: string) => void faults.push({ parameter, detail });

  const named = given(RESOURCE)?.split(',');
  const unknown = named?.filter((name) => !registry.some((one) => one.name === name)) ?? [];
  if (unknown.length > 0) refuse(RESOURCE, `must be of ${registry.map(({ name }) => name).join(', ')}`);
  const limit = given(LIMIT);
  if (limit !== undefined && !/^[1-9][0-9]{0,8}$/.test(limit))
    refuse(LIMIT, 'must be an integer, at least 1');
  const types = given(TYPE)?.split(',');
  const listed = sources.filter(({ collection }) => registry.some(({ name }) => name === collection));
  const matched = sourcesOf({ types: types ?? [] }, listed);
  const unmatched = types?.filter((_, at) => matched[at]?.length === 0) ?? [];
  if (unmatched.length > 0)
    refuse(TYPE, `must be types of events, such as order.paid or order.*: ${unmatched[0]} matches no event`);
  const since = given(SINCE);
  // A plus arrives as a space.
  const time = since === undefined ? undefined : Date.parse(instantOf(since.replace(' ', '+')) ?? '');
  if (Number.isNaN(time)) refuse(SINCE, 'must be a time, such as 2026-11-26T10:00:00Z');
  // A form without an author sends an empty text.
  const by = given(BY) || undefined;
  if (by !== undefined && !SUBJECT.test(by))
    refuse(BY, 'must have at most 255 characters, and no control characters');
  const after = given(AFTER);
  const known = after === undefined ? new Map<string, KnownPosition>() : parsePositions(after);
  if (!known) refuse(AFTER, 'must be from a next link of this list');
  if (faults.length > 0 || !known) return { faults };

  const resources = registry.filter(
    (one) =>
      (named?.includes(one.name) ?? true) &&
      hasScope(reader, scopeFor(one.name, 'GET')) &&
      !lacksTenant(one, caller),
  );
  return {
    resources: new Map(resources.map((one) => [one.name, one])),
    limit: Math.min(Number(limit ?? DEFAULT_LIMIT), MAXIMUM_LIMIT),
    by,
    starts: resources.flatMap((one) => {
      const { days = 0 } = one.history ?? {};
      const first = time === undefined ? beginning(days, now) : positionAt(time - CLOCKS_MS);
      const needs = time === undefined ? undefined : positionAt(time);
      return partitionsOf(one).map((partition): Start => {
        const start = { resource: one.name, partition, days };
        const place = known.get(partition);
        return place
          ? { ...start, ...place, needs: place.after }
          : { ...start, after: first, needs, isByTime: true };
      });
    }),
    wants: (event, position) =>
      (types === undefined || selects({ types }, event.type)) &&
      // The time of a removal has whole seconds, and that of an import can be old.
      (time === undefined || position >= positionAt(time) || Date.parse(event.time) >= time),
    next: (positions) => {
      const parameters = new URLSearchParams();
      for (const name of [RESOURCE, TYPE, SINCE, BY, LIMIT]) {
        const value = given(name);
        if (value !== undefined) parameters.append(name, value);
      }
      // A caller who may read the changes of no resource has no positions.
      if (positions.size > 0) parameters.append(AFTER, formatPositions(positions));
      return parameters.size > 0 ? `/changes?${parameters}` : '/changes';
    },
  };
}

const positionAt = (time: number): number =>
  Math.min(Math.max(0, time) * POSITIONS_OF_MS, Number.MAX_SAFE_INTEGER);
