import type { Needs } from '../../shared/resource/needs.ts';
import { sentences } from './fields.ts';

const NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
/** Source: IAM User Guide, "IAM JSON policy elements: Action". */
const ACTION = /^[a-z0-9-]+:[A-Za-z*]+$/;

/**
 * Returns the faults of `needs`. The sentences begin with the fact. `isRead`: true if there is code that gets its values.
 */
export function wrongNeeds({ variables = [], secrets = [], may = [] }: Needs, isRead: boolean): string[] {
  const names = [...variables, ...secrets];
  return sentences([
    !isRead && 'needs has no effect, because no action, no onChange and no view uses it: remove it',
    ...names.map(
      (name) =>
        !NAME.test(name) && `needs names '${name}': use capital letters, digits and _, such as MAIL_KEY`,
    ),
    ...names.map(
      (name, at) => names.indexOf(name) !== at && `needs names '${name}' twice: remove one of them`,
    ),
    ...may.flatMap(({ actions, on }) => [
      ...actions.map(
        (one) =>
          !ACTION.test(one) &&
          `needs.may has '${one}', which is not an action of AWS: use one such as ses:SendEmail`,
      ),
      (actions.length === 0 || on.length === 0) &&
        'needs.may has a statement without actions or without resources (on): give both',
    ]),
  ]);
}
