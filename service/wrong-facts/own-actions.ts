import { findFaults } from '../../shared/resource/description/validate.ts';
import type { BodyFacts } from '../../shared/resource/facts.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { SCOPE, wrongFields } from './fields.ts';

/** The last segments of the paths of forms. */
const FORMS: readonly string[] = ['new', 'edit', 'delete'];

/** Facts of a field that have no effect in a body, because no item stores it. */
const OF_STORED = [
  'server',
  'immutable',
  'computed',
  'unique',
  'was',
  'earlier',
  'later',
  'keptByPut',
  'readableBy',
  'writableBy',
] as const;

/** The faults of the own actions of a resource. The sentences begin with the fact. */
export function wrongActions({ process, routes }: Resource): string[] {
  const own = routes.flatMap(({ endpoints: { POST } }) =>
    POST?.takes === 'ownOfItem' || POST?.takes === 'ownOfList' ? [POST] : [],
  );
  return own.flatMap(({ id, scope, body }) => [
    ...(FORMS.includes(id) ? [`the action '${id}' has the path of a form: rename it`] : []),
    ...(process && Object.hasOwn(process.transitions, id)
      ? [`the action '${id}' has the name of a transition: rename one of them`]
      : []),
    ...(scope !== undefined && !SCOPE.test(scope)
      ? [`the action '${id}' needs '${scope}', which is no scope: use two words such as salaries:write`]
      : []),
    ...(body ? wrongBody(body).map((one) => `in the body of the action '${id}', ${one}`) : []),
  ]);
}

function wrongBody({ description, validate }: BodyFacts): string[] {
  return [
    ...Object.entries(description.fields).flatMap(([name, field]) => [
      ...(field.kind === 'binary' ? [`'${name}' has bytes, which only an item can have: remove it`] : []),
      ...OF_STORED.filter((fact) => fact in field).map(
        (fact) => `'${name}' has the fact ${fact}, which has no effect there: remove it`,
      ),
    ]),
    ...wrongFields(description, (values) => findFaults(validate, values)),
  ];
}
