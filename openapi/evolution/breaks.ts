import type { OpenApi } from '../model.ts';
import { isJson, type Json, members, resolver, texts } from './json.ts';
import { schemaBreaks } from './schemas.ts';

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

/**
 * Returns a message for each difference that breaks a client of the released description. Additions break no client.
 * Neither do new properties, links and values in responses, which clients must accept.
 *
 * Source: Specification 12.1; RFC 9110 §15 (a client understands the class of a status that it does not know).
 */
export function breaks(released: OpenApi, present: OpenApi): string[] {
  const before = resolver(released);
  const after = resolver(present);
  const found: string[] = [];
  for (const [path, item] of members(before({ ...released.paths }))) {
    const now = after(present.paths[path]);
    if (!now) {
      found.push(`${path} is gone`);
      continue;
    }
    for (const method of METHODS) {
      const was = before(before(item)?.[method]);
      if (!was) continue;
      const name = `${method.toUpperCase()} ${path}`;
      const is = after(now[method]);
      if (!is) found.push(`${name} is gone`);
      else
        found.push(
          ...operationBreaks(
            {
              ...was,
              parameters: [...list(before(item)?.parameters), ...list(was.parameters)],
            },
            {
              ...is,
              parameters: [...list(now.parameters), ...list(is.parameters)],
            },
          ).map((text) => `${name}: ${text}`),
        );
    }
  }
  return [...new Set(found)];

  function operationBreaks(was: Json, is: Json): string[] {
    return [
      ...(was.operationId === is.operationId ? [] : [`its operationId was ${was.operationId}`]),
      ...securityBreaks(was, is),
      ...parameterBreaks(was, is),
      ...bodyBreaks(before(was.requestBody), after(is.requestBody)),
      ...responseBreaks(before(was.responses) ?? {}, after(is.responses) ?? {}),
    ];
  }

  function parameterBreaks(was: Json, is: Json): string[] {
    const named = (all: unknown, resolve: typeof before) =>
      new Map(
        list(all)
          .map((one) => resolve(one) ?? {})
          .map((one) => [`${one.in} parameter ${one.name}`, one]),
      );
    const [old, current] = [named(was.parameters, before), named(is.parameters, after)];
    const gone = [...old].flatMap(([name, one]) => {
      const other = current.get(name);
      if (!other) return [`${name} is gone`];
      const required = other.required === true && one.required !== true ? [`${name} must be given now`] : [];
      return [
        ...required,
        ...schemaBreaks('request', { was: one.schema, is: alone(one, other), before, after }, name),
      ];
    });
    const added = [...current].filter(([name, one]) => one.required === true && !old.has(name));
    return [...gone, ...added.map(([name]) => `${name} is new and must be given`)];
  }

  function bodyBreaks(was: Json | undefined, is: Json | undefined): string[] {
    if (!was) return is?.required === true ? ['a body must be sent now'] : [];
    if (!is) return ['its body is gone'];
    const required = is.required === true && was.required !== true ? ['the body must be sent now'] : [];
    return [...required, ...contentBreaks('request', was, is, 'body')];
  }

  function responseBreaks(was: Json, is: Json): string[] {
    return members(was).flatMap(([status, response]) => {
      const [old, current] = [before(response), after(is[status])];
      if (!current) return /^[45]/.test(status) ? [] : [`answer ${status} is gone`];
      const [oldNames, names] = [texts(before(old?.headers)), texts(after(current.headers))];
      const headers = oldNames.filter((name) => !names.includes(name));
      return [
        ...headers.map((name) => `answer ${status}: header field ${name} is gone`),
        ...contentBreaks('response', old ?? {}, current, `answer ${status}`),
      ];
    });
  }

  function contentBreaks(direction: 'request' | 'response', was: Json, is: Json, where: string): string[] {
    const current = after(is.content) ?? {};
    return members(before(was.content)).flatMap(([type, media]) => {
      const now = after(current[type]);
      if (!now) return [`${where}: ${type} is gone`];
      const schemas = { was: before(media)?.schema, is: now.schema, before, after };
      return schemaBreaks(direction, schemas, `${where} (${type})`);
    });
  }
}

/**
 * Credentials of the released description that do not suffice any more. An empty requirement says that a deployment may
 * need no credentials, so it does not count beside others.
 *
 * Source: OpenAPI 3.1.1 §4.8.10, §4.8.30.
 */
function securityBreaks(was: Json, is: Json): string[] {
  const needing = ({ security }: Json) => list(security).filter((one) => members(one).length > 0);
  const needed = needing(is);
  if (needed.length === 0) return [];
  if (list(was.security).length === 0) return ['credentials must be sent now'];
  const suffices = (held: Json, one: Json) =>
    members(one).every(
      ([scheme, scopes]) =>
        scheme in held && list(scopes).every((scope) => list(held[scheme]).includes(scope)),
    );
  return needing(was)
    .filter((held) => !needed.some((one) => suffices(held, one)))
    .map((held) => `${JSON.stringify(held)} does not suffice any more`);
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

/**
 * The schema of a parameter. If it has become a list with commas, a single value is a list too: the result is the
 * schema of one value.
 */
function alone(was: Json, is: Json): unknown {
  const { schema } = is;
  const wasList = isJson(was.schema) && was.schema.type === 'array';
  const isList = isJson(schema) && schema.type === 'array' && !wasList && is.explode === false;
  return isList ? schema.items : schema;
}
