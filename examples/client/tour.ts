import createClient from 'openapi-fetch';
import type { components, paths } from './api.generated.ts';

/**
 * What a typed client looks like: `node examples/client/tour.ts http://127.0.0.1:3000`. Every path, parameter, body
 * and answer below is checked by the compiler against docs/openapi.json.
 */
type Member = components['schemas']['Member'];

/** A problem as an error, for callers who have nothing better to do about it. */
class ProblemError extends Error {
  readonly problem: components['schemas']['Problem'];

  constructor(problem: components['schemas']['Problem']) {
    super(`${problem.title}: ${problem.detail ?? problem.type} (request ${problem.requestId})`);
    this.problem = problem;
  }
}

const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };

/** Walks through the service at this address, and tells what it found on the way. */
export async function tour(baseUrl: string): Promise<string[]> {
  const client = createClient<paths>({ baseUrl });
  const told: string[] = [];

  // Create. The entity tag names the version that was made.
  const created = await client.POST('/members', { body: { username: 'ada', age: 36, team: 'engines' } });
  if (!created.data) throw new ProblemError(created.error);
  // 202 is for those alone who ask for it by `Prefer: respond-async`.
  if (!('id' in created.data)) throw new Error('It is done later');
  const { id } = created.data;
  const etag = created.response.headers.get('ETag') ?? '';
  told.push(`created ${created.data.username}`);

  // Change it, but only if nobody else did meanwhile.
  const patched = await client.PATCH('/members/{id}', {
    params: { path: { id }, header: { 'If-Match': etag } },
    headers: MERGE_PATCH,
    body: { age: 37 },
  });
  if (patched.data && 'age' in patched.data) told.push(`patched to ${patched.data.age}`);

  // The same tag a second time: somebody was faster, it was this very client.
  const late = await client.PUT('/members/{id}', {
    params: { path: { id }, header: { 'If-Match': etag } },
    body: { username: 'grace' },
  });
  if (late.response.status === 412) told.push(`refused: ${late.error?.title}`);

  // A problem says everything that is wrong at once, each fault with its place.
  const faulty = await client.POST('/members', { body: { age: -1, email: 'nobody' } });
  told.push(`faults at ${(faulty.error?.errors ?? []).map(({ pointer }) => pointer).join(' and ')}`);

  for await (const member of everyMember(client)) {
    if (member.id === id) told.push(`found ${member.username} of ${member.team}`);
  }

  const gone = await client.DELETE('/members/{id}', { params: { path: { id } } });
  told.push(`deleted: ${gone.response.status}`);
  return told;
}

type Page = NonNullable<paths['/members']['get']['parameters']['query']>;

/** Every member, page by page along the `next` links. */
async function* everyMember(client: ReturnType<typeof createClient<paths>>): AsyncGenerator<Member> {
  let page: Page | undefined = { limit: 2 };
  while (page) {
    const { data, error } = await client.GET('/members', { params: { query: page } });
    if (!data) throw new ProblemError(error);
    yield* data.items;
    page = nextPage(data.links);
  }
}

/** The query of the link to the next page; undefined on the last one. */
function nextPage(links: readonly components['schemas']['Link'][]): Page | undefined {
  const next = links.find(({ rel }) => rel === 'next');
  if (!next) return undefined;
  const parameters = new URL(next.href, 'http://service').searchParams;
  return {
    limit: Number(parameters.get('limit')),
    offset: Number(parameters.get('offset')),
    after: parameters.get('after') ?? undefined,
  };
}

if (import.meta.main) {
  for (const line of await tour(process.argv[2] ?? 'http://127.0.0.1:3000')) console.log(line);
}
