import type { OpenApi } from '../model.ts';
import type { Difference, Finding, Part, Place } from './finding.ts';
import { isJson, type Json, members, type Resolve, resolver, texts } from './json.ts';
import { schemaBreaks } from './schemas.ts';

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

/**
 * Finds each difference that breaks a client of the released description. Additions break no client. Neither do new
 * properties, links and values in responses, which clients must accept.
 *
 * Source: Specification 12.1; RFC 9110 §15 (a client understands the class of a status that it does not know).
 */
export function breaks(released: OpenApi, present: OpenApi): Finding[] {
  const before = resolver(released);
  const after = resolver(present);
  const found = members(before({ ...released.paths })).flatMap(([path, item]): Finding[] => {
    const [old, now] = [before(item), after(present.paths[path])];
    if (!now) return [{ path, kind: 'pathGone' }];
    return METHODS.flatMap((name) => {
      const [was, is] = [before(old?.[name]), after(now[name])];
      const place = { path, method: name.toUpperCase() };
      if (!was) return [];
      return is
        ? operationBreaks(withParameters(was, old), withParameters(is, now), place)
        : [{ ...place, kind: 'methodGone' }];
    });
  });
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];

  function operationBreaks(was: Json, is: Json, place: Place): Finding[] {
    return [
      ...(was.operationId === is.operationId
        ? []
        : [{ ...place, kind: 'operationId' as const, was: was.operationId }]),
      ...securityBreaks(was, is).map((one) => ({ ...place, ...one })),
      ...parameterBreaks(was, is, place),
      ...bodyBreaks(before(was.requestBody), after(is.requestBody), { ...place, part: { kind: 'body' } }),
      ...responseBreaks(before(was.responses) ?? {}, after(is.responses) ?? {}, place),
    ];
  }

  function parameterBreaks(was: Json, is: Json, place: Place): Finding[] {
    const named = (all: unknown, resolve: Resolve) =>
      new Map(
        list(all)
          .map((one) => resolve(one) ?? {})
          .map((one) => [`${one.in} ${one.name}`, one]),
      );
    const at = ({ in: where, name }: Json): Place => ({
      ...place,
      part: { kind: 'parameter', in: where, name },
    });
    const [old, current] = [named(was.parameters, before), named(is.parameters, after)];
    const needed = [...current].flatMap(([name, one]): Finding[] =>
      one.required === true && old.get(name)?.required !== true ? [{ ...at(one), kind: 'partNeeded' }] : [],
    );
    const changed = [...old].flatMap(([name, one]): Finding[] => {
      const other = current.get(name);
      if (!other) return [{ ...at(one), kind: 'parameterGone' }];
      return schemaBreaks('request', { was: one.schema, is: alone(one, other), before, after }, at(one));
    });
    return [...needed, ...changed];
  }

  function bodyBreaks(was: Json | undefined, is: Json | undefined, place: Place): Finding[] {
    if (was && !is) return [{ ...place, kind: 'bodyGone' }];
    const isNeeded = is?.required === true && was?.required !== true;
    return [
      ...(isNeeded ? [{ ...place, kind: 'partNeeded' as const }] : []),
      ...(was && is ? contentBreaks('request', was, is, place, { kind: 'body' }) : []),
    ];
  }

  function responseBreaks(was: Json, is: Json, request: Place): Finding[] {
    return members(was).flatMap(([status, response]): Finding[] => {
      const part = { kind: 'response', status } as const;
      const place = { ...request, part };
      const [old, current] = [before(response), after(is[status])];
      if (!current) return /^[45]/.test(status) ? [] : [{ ...place, kind: 'responseGone' }];
      const [oldNames, names] = [texts(before(old?.headers)), texts(after(current.headers))];
      const headers = oldNames.filter((name) => !names.includes(name));
      return [
        ...headers.map((name): Finding => ({ ...place, kind: 'headerGone', name })),
        ...contentBreaks('response', old ?? {}, current, place, part),
      ];
    });
  }

  function contentBreaks(
    direction: 'request' | 'response',
    was: Json,
    is: Json,
    place: Place,
    part: Exclude<Part, { readonly kind: 'parameter' }>,
  ): Finding[] {
    const current = after(is.content) ?? {};
    return members(before(was.content)).flatMap(([type, media]): Finding[] => {
      const now = after(current[type]);
      if (!now) return [{ ...place, kind: 'contentGone', type }];
      const schemas = { was: before(media)?.schema, is: now.schema, before, after };
      return schemaBreaks(direction, schemas, { ...place, part: { ...part, type } });
    });
  }
}

/** Returns an operation with the parameters of its path. */
const withParameters = (one: Json, path: Json | undefined): Json => ({
  ...one,
  parameters: [...list(path?.parameters), ...list(one.parameters)],
});

/**
 * Credentials of the released description that do not suffice any more. An empty requirement says that a deployment may
 * need no credentials, so it does not count beside others.
 *
 * Source: OpenAPI 3.1.1 §4.8.10, §4.8.30.
 */
function securityBreaks(was: Json, is: Json): Difference[] {
  const needing = ({ security }: Json) => list(security).filter((one) => members(one).length > 0);
  const needed = needing(is);
  if (needed.length === 0) return [];
  if (list(was.security).length === 0) return [{ kind: 'credentials' }];
  const suffices = (held: Json, one: Json) =>
    members(one).every(
      ([scheme, scopes]) =>
        scheme in held && list(scopes).every((scope) => list(held[scheme]).includes(scope)),
    );
  return needing(was)
    .filter((held) => !needed.some((one) => suffices(held, one)))
    .map((held) => ({ kind: 'credentials', held }));
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

/**
 * Returns the schema of a parameter. If it has become a list with commas, a single value is a list too: the result is
 * the schema of one value.
 */
function alone(was: Json, is: Json): unknown {
  const { schema } = is;
  const wasList = isJson(was.schema) && was.schema.type === 'array';
  const isList = isJson(schema) && schema.type === 'array' && !wasList && is.explode === false;
  return isList ? schema.items : schema;
}
