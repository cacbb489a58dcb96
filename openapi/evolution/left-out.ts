import type { OpenApi, PathItem } from '../model.ts';
import { isJson, type Json, members, resolver } from './json.ts';

/** A former description without what descriptions have no longer, and what that is, in words. */
export interface Compared {
  readonly document: OpenApi;
  readonly left: readonly string[];
}

/** The paths of forms for people. */
const FORM = /\/(?:new|edit|delete)$/;

/** The media types of pages, texts, tables, links, events, forms and aliases, and types with a parameter. */
const TYPES =
  /^text\/(?:html|csv|xml|plain)|\/(?:jsonl|link-format|cloudevents-batch\+json|x-www-form-urlencoded|form-data)$|; *safe=/;

/** Header fields of requests that few clients send. */
const PARAMETERS = /^(?:Accept-Datetime|Content-Digest|If-.*|Prefer|Repr-Digest)$/;

/** Header fields of every response, and those for browsers and caches. */
const FIELDS =
  /^(?:Access-Control-.*|Cache-.*|Content-Encoding|Content-Security-Policy|Preference-Applied|Ref.*|Server-Timing|Strict-.*|Vary|X-Content-.*)$/;

/** True if the content of the type is described as bytes: they have one schema, also if they are JSON. */
const isBytes = (content: unknown, type: string): boolean => {
  const media = isJson(content) ? content[type] : undefined;
  return isJson(media) && isJson(media.schema) && media.schema.format === 'binary';
};

const isArray = (schema: unknown): boolean => isJson(schema) && schema.type === 'array';

/** True for an object with an array alone. */
const isWrapped = (schema: unknown): boolean => {
  const inner = isJson(schema) ? members(schema.properties) : [];
  return inner.length === 1 && inner.every(([, one]) => isArray(one));
};

/**
 * Returns a former description without what the present one leaves out while the service still has it: HEAD and OPTIONS,
 * forms and pages, other formats of the same values, and fields of any request or response. Bytes of a binary property have
 * the path that they have now. So a comparison finds the other differences alone.
 *
 * Source: docs/decisions/0011-openapi-from-facts.md.
 */
export function withoutLeftOut(former: OpenApi, present: OpenApi): Compared {
  const resolve = resolver(former);
  const left = new Map<string, number>();
  const leaves = (what: string): false => {
    left.set(what, (left.get(what) ?? 0) + 1);
    return false;
  };
  const kept = (values: unknown, stays: (name: string) => boolean) =>
    Object.fromEntries(members(resolve(values)).filter(([name]) => stays(name)));
  const isLess = (now: unknown, name: string) => !(isJson(now) && name in now);

  const ofOneForm = (media: unknown) =>
    isJson(media) && isJson(media.schema) ? { ...media, schema: withOneForm('', media.schema) } : media;

  function contentOf(was: unknown, is: unknown): Json {
    const all = kept(
      was,
      (type) => !isLess(is, type) || !TYPES.test(type) || leaves('contents in other formats'),
    );
    return Object.fromEntries(
      members(all).map(([type, media]) => [type, isBytes(is, type) ? (is as Json)[type] : ofOneForm(media)]),
    );
  }

  function responseOf(was: unknown, is: Json | undefined): Json {
    const { headers, content, ...rest } = resolve(was) ?? {};
    return {
      ...rest,
      headers: kept(
        headers,
        (name) => !isLess(is?.headers, name) || !FIELDS.test(name) || leaves('header fields of responses'),
      ),
      content: contentOf(content, is?.content),
    };
  }

  function operationOf(method: string, was: Json, is: Json): Json {
    const now = resolver(present);
    const names = (Array.isArray(is.parameters) ? is.parameters : []).map((one) => now(one)?.name);
    const parameters = (Array.isArray(was.parameters) ? was.parameters : []).filter((one) => {
      const { in: place, name } = resolve(one) ?? {};
      const isLeft = place === 'header' && PARAMETERS.test(String(name)) && !names.includes(name);
      return !isLeft || leaves('header fields of requests');
    });
    const body = resolve(was.requestBody);
    // The service has always ignored the content of such a request.
    const isIgnored = body && body.required !== true && !is.requestBody;
    if (isIgnored) leaves('contents that the service ignores');
    const shown = now(is.responses) ?? {};
    const responses = members(resolve(was.responses)).flatMap(([status, one]) => {
      // Problems have one schema, which `default` names.
      if (/^(?:[45]|default)/.test(status)) return [];
      const isBrowsers = method === 'post' && status === '303' && isLess(shown, status);
      if (isBrowsers) return leaves('redirects of browsers') || [];
      return [[status, responseOf(one, now(shown[status]))]];
    });
    return {
      ...was,
      parameters,
      responses: Object.fromEntries(responses),
      requestBody:
        body && !isIgnored
          ? { ...body, content: contentOf(body.content, now(is.requestBody)?.content) }
          : undefined,
    };
  }

  const paths = Object.entries(former.paths).flatMap(([template, item]): [string, PathItem][] => {
    const path = template.replace('?fields=', '/');
    const now = present.paths[path];
    if (FORM.test(path) && !now) return leaves('paths of forms') || [];
    const operations = Object.entries(item).flatMap(([method, one]): [string, unknown][] => {
      if (method === 'head' || method === 'options')
        return leaves(`operations of ${method.toUpperCase()}`) || [];
      const is = now?.[method];
      if (!isJson(one) || method === 'parameters') return [[method, one]];
      // The form of an action is at its path.
      if (method === 'get' && now && !is && 'post' in item) return leaves('paths of forms') || [];
      return [[method, isJson(is) ? operationOf(method, one, is) : one]];
    });
    return [[path, Object.fromEntries(operations) as PathItem]];
  });
  /** Several items have one form now: an array alone, or one in an object beside a single item. */
  function withOneForm(name: string, schema: unknown): unknown {
    if (!isJson(schema) || !Array.isArray(schema.anyOf) || !schema.anyOf.some(isArray)) return schema;
    const isOther = isArray(present.components.schemas?.[name]) ? isWrapped : isArray;
    const anyOf = schema.anyOf.filter((one) => !isOther(one) || leaves('other forms of several items'));
    return { ...schema, anyOf };
  }

  const schemas = Object.fromEntries(
    members(former.components?.schemas).map(([name, schema]) => [name, withOneForm(name, schema)]),
  );
  return {
    document: {
      ...former,
      paths: Object.fromEntries(paths),
      components: { ...former.components, schemas },
    },
    left: [...left].map(([what, count]) => `${count} ${what}`),
  };
}
