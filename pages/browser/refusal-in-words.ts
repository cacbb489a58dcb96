import type { Received } from '../../shared/flow/exchange.ts';
import { brief, PROBLEMS, type Problem } from '../../shared/http/problem.ts';
import { signInHref } from '../../shared/http/sign-in.ts';
import { type FormFields, ITEMS_INPUT } from '../../shared/representations/forms/inputs.ts';
import type { FormKind } from '../../shared/resource/facts.ts';
import { MADE_PARAMETER } from '../own-inputs.ts';
import type { Form } from '../page-document.ts';
import { titleInWords } from '../words.ts';

/** The advice on a form whose item has changed since the form was shown. */
const CHANGED =
  'It has changed since you opened this form. Your values are below. Mark each stored value that you want instead, then save.';
/** The advice before the deletion of such an item, or before another action on it. */
const CHANGED_BEFORE =
  'It has changed since you opened its page. Look at it, then send the form again, or leave it.';

/** The title and the advice on a form that the person has sent before, with other values. */
const SENT_BEFORE = {
  title: 'You have sent this form before',
  detail: 'Nothing has changed now. Send it again to create another item, or to save your changes once more.',
};

/** The advice on a form with faulty inputs. */
const FAULTY = 'Correct the marked inputs, then send the form again.';

/** The advice on a file with faulty items. */
const FAULTY_FILE = 'Nothing is stored. Correct the file, then send it again.';

/** The advice on a form with fields that the person cannot set. The form comes back without their inputs. */
const FORBIDDEN = 'You cannot set the fields below. Send the form again without them.';

/** The address of the item that the first form with the same key has made; undefined if none is known. */
function madeBy({ made }: Problem): string | undefined {
  const [path, search] = made?.split('?') ?? [];
  const id = new URLSearchParams(search).get(MADE_PARAMETER);
  return id === null ? path : path?.replace(/new$/, id);
}

/** The form that the service refused. `lines`: those of the items in a table that the person has sent. */
interface RefusedForm {
  readonly kind: FormKind;
  readonly submitted: FormFields;
  /** The item has changed since the browser got the form. */
  readonly isStale: boolean;
  readonly lines: readonly number[] | undefined;
}

/** What a form says to the person about its refusal. */
export function refusalInWords(
  { request, resource }: Received,
  problem: Problem,
  { kind, submitted, isStale, lines }: RefusedForm,
): NonNullable<Form['refused']> {
  const { name } = problem;
  const { status, title } = PROBLEMS[name];
  const { detail: problemDetail, errors = [] } = brief(problem);
  const isMarked =
    name === 'validation-error' && errors.some(({ pointer }) => pointer) && !submitted.has(ITEMS_INPUT);
  const changed = kind === 'edit' || kind === 'new' ? CHANGED : CHANGED_BEFORE;
  const isFile = status === 400 && submitted.has(ITEMS_INPUT);
  const advice = isMarked ? FAULTY : isFile ? FAULTY_FILE : status === 403 ? FORBIDDEN : problemDetail;
  const stated = isStale
    ? { title: `The ${resource.description?.singular ?? 'item'} has changed`, detail: changed }
    : { title: titleInWords(name, title), detail: advice };
  // The sign-in opens in a new tab, so that this page stays filled in.
  const signIn = status === 401 ? { signIn: signInHref(request.basePath, '/') } : {};
  const isRepeated = name === 'idempotency-key-reused';
  const made = madeBy(problem);
  const words = isRepeated
    ? { ...SENT_BEFORE, errors: [], ...(made === undefined ? {} : { made }) }
    : { ...stated, errors };
  return { ...words, ...signIn, ...(isFile && lines ? { lines } : {}) };
}
