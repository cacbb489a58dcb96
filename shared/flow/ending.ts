import { formatLinks } from '../http/fields/link.ts';
import { PROBLEMS, type Problem, type ProblemName, problem, type StatusOf } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import { withBasePath } from '../representations/item.ts';
import { adviceOnScopes } from '../resource/access/access.ts';
import type { LinkFact } from '../resource/link.ts';

/** How a step ends a request: with a problem, or with a status and header fields. */
export interface Ending<Status extends number = number> {
  readonly kind: 'ending';
  readonly status: Status;
  readonly problem?: Problem;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, if it is recorded text. */
  readonly body?: string;
  /** The number of items that the effect covered. Only a recorded answer of an operation has it. */
  readonly count?: number;
}

/** Ends with a problem. */
export const refuse = <const Name extends ProblemName>(
  name: Name,
  detail: string,
  more: Omit<Problem, 'name' | 'detail'> = {},
): Ending<StatusOf<Name>> => end(problem(name, detail, more));

/** Ends with a problem that the caller has built. */
export const end = <const Name extends ProblemName>(given: Problem<Name>): Ending<StatusOf<Name>> => ({
  kind: 'ending',
  status: PROBLEMS[given.name].status,
  problem: given,
});

/** Ends with a status and header fields. `more`: a recorded body and count. */
export const endWith = <const Status extends number>(
  status: Status,
  headers: Readonly<Record<string, string>>,
  more: Pick<Ending, 'body' | 'count'> = {},
): Ending<Status> => ({ kind: 'ending', status, headers, ...more });

/** The advice on a request without a valid token. */
export const TOKEN_NEEDED = 'The request needs a valid token. Send Authorization: Bearer TOKEN';

/** Ends because nothing is at the path. `detail`: what is missing, if it is not the path. `links`: what is left of it. */
export const refuseMissing = (
  { path, basePath }: Pick<Request, 'path' | 'basePath'>,
  detail?: string,
  links: readonly LinkFact[] = [],
): Ending<404> => {
  const shown = withBasePath(links, basePath);
  return refuse(
    'not-found',
    `${detail ?? `There is no ${path}`}. ${shown.length > 0 ? 'Its versions are in links' : 'Follow links from a list or from the home document'}`,
    {
      missing: detail ?? 'item',
      ...linked(shown),
    },
  );
};

/** Ends with a problem of an action. `links`: to what prevents its effect. */
export function endLinked(
  { basePath }: Pick<Request, 'basePath'>,
  {
    problem: given,
    links = [],
  }: { readonly problem: Problem; readonly links?: readonly LinkFact[] | undefined },
): Ending<StatusOf<ProblemName>> {
  const { members, headers } = linked(withBasePath(links, basePath));
  return members ? end({ ...given, members: { ...given.members, ...members }, headers }) : end(given);
}

const linked = (links: readonly LinkFact[]) =>
  links.length > 0 ? { members: { links }, headers: { Link: formatLinks(links) } } : {};

/** Ends because the caller lacks scopes, at least one. Source: RFC 6750 §3.1 (insufficient_scope). */
export const refuseScopes = (scopes: readonly string[]): Ending<403> =>
  refuse('forbidden', adviceOnScopes(scopes), { scopes, lacks: scopes[0] });

/** Ends because the sign-in of a person lacks a scope. Source: Specification 11.13. */
export const refusePerson = (scope: string): Ending<403> =>
  refuse(
    'forbidden',
    `Your sign-in does not include the scope ${scope}. Ask the operators for it, then sign out and sign in again`,
    { lacks: scope },
  );

/** Ends because the token does not name the tenant whose items the resource has. */
export const refuseTenant = (): Ending<403> =>
  refuse('forbidden', 'The items have tenants: send a token with the claim tenant');
