import createClient from 'openapi-fetch';
import type { components, paths } from './api.generated.ts';

/**
 * An example of a typed client: `npm run tool -- tour http://127.0.0.1:3000`. The compiler checks every path, parameter,
 * body and response below against docs/openapi.json.
 */
type Member = components['schemas']['Member'];

/** The media types of responses. Lists are also available as CSV and JSON Lines. */
type Media = 'application/json' | 'application/problem+json';

/** A problem as an error, for callers that do not handle it. */
class ProblemError extends Error {
  readonly problem: components['schemas']['Problem'];

  constructor(problem: components['schemas']['Problem']) {
    super(`${problem.title}: ${problem.detail ?? problem.type} (request ${problem.requestId})`);
    this.problem = problem;
  }
}

const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };

/** Sends example requests to the service at this address, with a token if it requires one. Returns a line per result. */
async function tour(baseUrl: string, token: string | undefined): Promise<string[]> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const client = createClient<paths, Media>({ baseUrl, headers });
  const lines: string[] = [];

  // Create a member. The entity tag names its version.
  const created = await client.POST('/members', { body: { username: 'ada', age: 36, team: 'engines' } });
  if (!created.data) throw new ProblemError(created.error);
  // The service responds with 202 only to `Prefer: respond-async`.
  if (!('id' in created.data)) throw new Error('The service runs the request as an operation');
  const { id } = created.data;
  const etag = created.response.headers.get('ETag') ?? '';
  lines.push(`created ${created.data.username}`);

  // Change the member, but only if no other client has changed it.
  const patched = await client.PATCH('/members/{id}', {
    params: { path: { id }, header: { 'If-Match': etag } },
    headers: MERGE_PATCH,
    body: { age: 37 },
  });
  if (patched.data && 'age' in patched.data) lines.push(`patched to ${patched.data.age}`);

  // Send the same tag again. It is now old, because this client itself has changed the member.
  const late = await client.PUT('/members/{id}', {
    params: { path: { id }, header: { 'If-Match': etag } },
    body: { username: 'grace' },
  });
  if (late.response.status === 412) lines.push(`refused: ${late.error?.title}`);

  // A problem lists all faults at once, each with its location.
  const faulty = await client.POST('/members', { body: { age: -1, email: 'wrong' } });
  lines.push(`faults at ${(faulty.error?.errors ?? []).map(({ pointer }) => pointer).join(' and ')}`);

  for await (const member of everyMember(client)) {
    if (member.id === id) lines.push(`found ${member.username} of ${member.team}`);
  }

  const gone = await client.DELETE('/members/{id}', { params: { path: { id } } });
  lines.push(`deleted: ${gone.response.status}`);
  return lines;
}

type Page = NonNullable<paths['/members']['get']['parameters']['query']>;

/** Yields every member, page by page along the `next` links. */
async function* everyMember(client: ReturnType<typeof createClient<paths, Media>>): AsyncGenerator<Member> {
  let page: Page | undefined = { limit: 2 };
  while (page) {
    const { data, error } = await client.GET('/members', { params: { query: page } });
    if (!data) throw new ProblemError(error);
    yield* data.items;
    page = nextPage(data.links);
  }
}

/** Returns the query of the link to the next page; undefined on the last page. */
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
  const address = process.argv[2] ?? 'http://127.0.0.1:3000';
  for (const line of await tour(address, process.env.TOKEN)) console.log(line);
}
