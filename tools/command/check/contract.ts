import { breaks } from '../../../openapi/evolution/breaks.ts';
import type { OpenApi } from '../../../openapi/model.ts';
import type { Change } from './change.ts';

/** What clients meet, by the form of a finding of `breaks`. The first fitting row counts. */
const CONSEQUENCES: readonly (readonly [finding: RegExp, consequence: string])[] = [
  [/^\/\S* is gone$/, 'Requests to this path get 404.'],
  [/^[A-Z]+ \S+ is gone$/, 'These requests get 405.'],
  [/^its operationId was /, 'Generated clients have another name for this request.'],
  [/^credentials must be sent| does not suffice/, 'Callers get 401 or 403 until their tokens allow it.'],
  [/^answer /, 'Clients that read this part of the response fail.'],
  [/ must be (?:given|sent)/, 'Requests without it get 400.'],
  [/^its body is gone$|^body: \S+\/\S+ is gone$/, 'Requests with this content get 415.'],
  [/ is gone$/, 'Requests with it lose its effect.'],
  [/./, 'Requests with the former values get 400.'],
];

const STEPS =
  'Offer the former form too, and announce its end with `lifecycle`. To accept the break: npx resource-api release.';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The methods of each path, such as `/widgets: GET, POST`. HEAD and OPTIONS follow from the others. */
const pathsOf = ({ paths }: OpenApi): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(paths).map(([path, item]) => [path, METHODS.filter((method) => item && method in item)]),
  );

const REQUEST = /^([A-Z]+ \S+): /;

/** A finding without its request, the format of its content, and lists around the value. */
const factOf = (finding: string): string =>
  finding
    .replace(REQUEST, '')
    .replace(/ \([^)]*\)/g, '')
    .replace(/ items\b(?! must)/g, '');

/** The requests of these findings, without HEAD, which follows from GET. */
function requestsOf(findings: readonly string[]): string {
  const all = findings.flatMap((one) => REQUEST.exec(one)?.[1] ?? []);
  const requests = [...new Set(all)].filter((one) => !one.startsWith('HEAD '));
  return requests.length === 0 ? '' : ` (${requests.join(', ')})`;
}

/** The changes of the description since the released one, as clients meet them. */
export function contractChanges(released: OpenApi, present: OpenApi): Change[] {
  const before = pathsOf(released);
  const added = [...pathsOf(present)].flatMap(([path, methods]) => {
    const more = methods.filter((method) => !before.get(path)?.includes(method));
    return more.length === 0 ? [] : [`${path}: ${more.join(', ').toUpperCase()}`];
  });
  return [
    ...[...Map.groupBy(breaks(released, present), factOf)]
      .map(([fact, findings]) => ({ fact, findings, at: CONSEQUENCES.findIndex(([one]) => one.test(fact)) }))
      .sort((a, b) => a.at - b.at)
      .map(
        ({ fact, findings, at }): Change => ({
          effect: 'breaks',
          what: `${fact}${requestsOf(findings)}`,
          consequence: CONSEQUENCES[at]?.[1] ?? '',
          steps: STEPS,
          wayBack: 'Deploy the release before: clients find the former form again.',
        }),
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
