import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { openApi } from '../../../openapi/document.ts';
import type { OpenApi } from '../../../openapi/model.ts';
import { registry } from '../../../test/fixtures/described/registry.ts';
import type { Part } from '../part.ts';

const load = createRequire(import.meta.url);

/** A folder or a request of a collection, with the names that the tools give to what is in it. */
interface Entry {
  readonly item?: readonly Entry[];
  readonly items?: readonly Entry[];
  readonly request: { readonly method: string; readonly url: string | { readonly path: readonly string[] } };
}

/** The requests in an entry: each as its method and path. */
const requestsIn = ({ item, items, request }: Entry): string[] => {
  const inner = item ?? items;
  if (inner) return inner.flatMap(requestsIn);
  const { method, url } = request;
  return [`${method} ${typeof url === 'string' ? url : `/${url.path.join('/')}`}`];
};

/** A collection, and its requests. */
interface Collection {
  readonly made: unknown;
  readonly requests: readonly string[];
}

/** The converters of the tools themselves: each makes a collection from a description. */
const TOOLS: Readonly<Record<string, (document: OpenApi) => Promise<Collection>>> = {
  Postman: async (data) => {
    const { convertV2 } = load('openapi-to-postmanv2');
    const { result, reason, output } = await promisify(convertV2)({ type: 'json', data }, {});
    assert.ok(result, reason);
    const [{ data: made }] = output;
    return { made, requests: requestsIn(made) };
  },
  Bruno: async (document) => {
    const made = await load('@usebruno/converters').openApiToBruno(document);
    return { made, requests: requestsIn(made) };
  },
  // Its importer on npm knows references of OpenAPI 3.0 alone, and says so. Shared parameters are missing.
  Insomnia: async (document) => {
    const { data: made } = await load('insomnia-importers').convert(JSON.stringify(document));
    const entries = made.resources as readonly { _type: string; method: string; url: string }[];
    const requests = entries.filter(({ _type }) => _type === 'request');
    return { made, requests: requests.map(({ method, url }) => `${method} ${url}`) };
  },
};

/** Returns a request with the same spelling for all tools: without the base, and with `{}` for a parameter. */
const spelled = (request: string): string =>
  request
    .replace(/\{\{ ?base_?url ?\}\}/i, '')
    .replace(/\{\{?[^/]+\}|:[a-z]\w*/gi, '{}')
    .replaceAll('{}}', '{}');

/** The operations of a description in the same spelling. */
const operationsOf = ({ paths }: OpenApi): string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'parameters')
      .map((method) => spelled(`${method.toUpperCase()} ${path}`)),
  );

/** Checks that the tools for people make a collection of the API description, with each of its operations. */
export const part: Part = {
  about: 'collections of Postman, Bruno and Insomnia from the API description',
  needs: [],
  run: async ({ service, check }) => {
    const own = (await service.client('GET', '/openapi.json')).json() as unknown as OpenApi;
    for (const { of, document, longest } of [
      { of: 'this service', document: own, longest: 3_100_000 },
      { of: 'a service of the package', document: openApi(registry), longest: 3_500_000 },
    ]) {
      const operations = operationsOf(document).sort();
      assert.ok(operations.length >= 50, `${operations.length}`);
      for (const [tool, convert] of Object.entries(TOOLS))
        await check(`${tool}: ${operations.length} requests of ${of}`, async () => {
          const { made, requests } = await convert(document);
          assert.deepEqual(requests.map(spelled).sort(), operations);
          const { length } = JSON.stringify(made);
          assert.ok(length < longest, `${length} characters`);
        });
    }
  },
};
