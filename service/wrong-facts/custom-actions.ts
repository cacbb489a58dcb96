import { findFaults } from '../../shared/resource/description/validate.ts';
import type { BodyFacts } from '../../shared/resource/facts.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { isCustomAction } from '../../shared/resource/route.ts';
import { SCOPE, sentences, wrongFields, wrongUnstored } from './fields.ts';
import { clockIn } from './stored-values.ts';

/** Where a custom action is: at an item or at the list. */
type Place = 'customOfItem' | 'customOfList';

/** The last segments of the paths of forms. */
const FORMS: Readonly<Record<Place, readonly string[]>> = {
  customOfItem: ['edit', 'delete'],
  customOfList: ['new'],
};

/** The last segments of the paths of versions, if the resource has history. */
const OF_HISTORY: typeof FORMS = { customOfItem: ['versions'], customOfList: ['removed'] };

/** Returns the faults of the transitions and the custom actions of a resource. The sentences begin with the fact. */
export function wrongActions({ process, routes, history, description }: Resource): string[] {
  const transitions = Object.keys(process?.transitions ?? {});
  const own = routes.flatMap(({ endpoints: { POST } }) =>
    isCustomAction(POST) ? [{ ...POST, at: POST.takes }] : [],
  );
  const named = (what: string, id: string, at: Place) => [
    FORMS[at].includes(id) && `the ${what} '${id}' has the path of a form: rename it`,
    history && OF_HISTORY[at].includes(id) && `the ${what} '${id}' has a path of history: rename it`,
  ];
  const wrong = own.flatMap(({ id, at, scope, body, when }) => [
    ...(description && when ? clockIn(description, when) : []),
    ...named('action', id, at),
    transitions.includes(id) && `the action '${id}' has the name of a transition: rename one of them`,
    scope !== undefined &&
      !SCOPE.test(scope) &&
      `the action '${id}' needs '${scope}', which is not a scope: use two words such as salaries:write`,
    ...(body ? wrongBody(body).map((one) => `in the body of the action '${id}', ${one}`) : []),
  ]);
  const removed = Object.values(process?.transitions ?? {}).find(({ to }) => to.toLowerCase() === 'removed');
  return sentences([
    removed && `the state '${removed.to}' has the event of a removal: rename it`,
    ...transitions.flatMap((id) => named('transition', id, 'customOfItem')),
    ...wrong,
  ]);
}

function wrongBody({ description, validate }: BodyFacts): string[] {
  return [
    ...Object.entries(description.fields).flatMap(([name, field]) => [
      ...(field.kind === 'binary' ? [`'${name}' has bytes, which only an item can have: remove it`] : []),
      ...wrongUnstored(name, field, 'server'),
    ]),
    ...wrongFields(description, (values) => findFaults(validate, values)),
  ];
}
