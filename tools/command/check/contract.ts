import { breaks } from '../../../openapi/evolution/breaks.ts';
import { type Finding, inItem } from '../../../openapi/evolution/finding.ts';
import { withoutLeftOut } from '../../../openapi/evolution/left-out.ts';
import { statementOf } from '../../../openapi/evolution/sentence.ts';
import type { OpenApi } from '../../../openapi/model.ts';
import type { Change } from './change.ts';

const VALUES = 'Requests with the former values get 400.';
const NEEDED = 'Requests without it get 400.';
const CONTENT = 'Requests with this content get 415.';
const EFFECT = 'Requests with it lose its effect.';
const RESPONSE = 'Clients that read this part of the response fail.';

/** What clients meet, in the order of the report. Any difference of a response has one consequence. */
const CONSEQUENCES: Readonly<Record<Finding['kind'], string>> = {
  pathGone: 'Requests to this path get 404.',
  methodGone: 'These requests get 405.',
  operationId: 'Generated clients have another name for this request.',
  credentials: 'Callers get 401 or 403 until their tokens allow it.',
  responseGone: RESPONSE,
  headerGone: RESPONSE,
  memberUncertain: RESPONSE,
  schemaGone: RESPONSE,
  partNeeded: NEEDED,
  memberNeeded: NEEDED,
  bodyGone: CONTENT,
  contentGone: CONTENT,
  parameterGone: EFFECT,
  memberGone: EFFECT,
  type: VALUES,
  bound: VALUES,
  choiceGone: VALUES,
  choices: VALUES,
  closed: VALUES,
  keyword: VALUES,
};
const ORDER = [...new Set(Object.values(CONSEQUENCES))];

/** `isClosed`: true for a path whose methods the definition has closed: it has no method in the description any more. */
const consequenceOf =
  (isClosed: (path: string) => boolean) =>
  ({ kind, part, path }: Finding): string =>
    part?.kind === 'response'
      ? RESPONSE
      : CONSEQUENCES[kind === 'pathGone' && isClosed(path) ? 'methodGone' : kind];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Returns the methods of each path, such as `/widgets: GET, POST`. HEAD and OPTIONS follow from the others. */
const pathsOf = ({ paths }: OpenApi): ReadonlyMap<string, readonly string[]> =>
  new Map(Object.entries(paths).map(([path, item]) => [path, METHODS.filter((method) => method in item)]));

/** Returns the requests of these findings, without HEAD, which follows from GET. */
function requestsOf(findings: readonly Finding[]): string {
  const requests = findings.flatMap(({ kind, method, path }) =>
    kind === 'pathGone' || kind === 'methodGone' || method === 'HEAD' ? [] : [`${method} ${path}`],
  );
  return requests.length === 0 ? '' : ` (${[...new Set(requests)].join(', ')})`;
}

/**
 * Returns the changes of the description since the released one, as clients meet them. `isClosed`: true for a path that the
 * service still knows.
 */
export function contractChanges(
  former: OpenApi,
  present: OpenApi,
  isClosed: (path: string) => boolean = () => false,
): Change[] {
  const { document: released } = withoutLeftOut(former, present);
  const before = pathsOf(released);
  const added = [...pathsOf(present)].flatMap(([path, methods]) => {
    const more = methods.filter((method) => !before.get(path)?.includes(method));
    return more.length === 0 ? [] : [`${path}: ${more.join(', ').toUpperCase()}`];
  });
  return [
    ...[...Map.groupBy(breaks(released, present), consequenceOf(isClosed))]
      .sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
      .flatMap(([consequence, findings]) =>
        [...Map.groupBy(findings, (one) => statementOf(inItem(one)))].map(
          ([what, same]): Change => ({
            effect: 'breaks',
            what: `${what}${requestsOf(same)}`,
            consequence,
            steps:
              'Offer the former form too, and announce its end with `lifecycle`. To accept the break: npx resource-api release.',
            wayBack: 'Deploy the release before: clients find the former form again.',
          }),
        ),
      ),
    ...added.map(
      (what): Change => ({
        effect: 'adds',
        what,
        consequence: 'Clients can send these requests. Present clients notice nothing.',
        wayBack: 'Remove them before the next release. Later, their removal breaks clients.',
      }),
    ),
  ];
}
