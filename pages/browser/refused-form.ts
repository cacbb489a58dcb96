import type { Done, Received } from '../../shared/flow/exchange.ts';
import { headersOf } from '../../shared/flow/response/problem.ts';
import { brief, PROBLEMS, type Problem, type ProblemName } from '../../shared/http/problem.ts';
import type { Response } from '../../shared/http/response.ts';
import { signInHref } from '../../shared/http/sign-in.ts';
import { type FormFields, ITEMS_INPUT } from '../../shared/representations/forms/inputs.ts';
import type { FormKind } from '../../shared/resource/facts.ts';
import { acceptsForms } from '../../shared/resource/route.ts';
import { formOf } from '../forms/form-of.ts';
import type { Form } from '../page-document.ts';
import { MADE_PARAMETER } from '../page-inputs.ts';
import { titleInWords } from '../words.ts';
import { pageResponse } from './responses.ts';

/** Statuses of errors that the person can correct in the form, whatever the error names. */
const CORRECTABLE: readonly number[] = [400, 401, 409, 412, 413, 415, 422];

/** Problems of a form whose item has changed. */
const CHANGES: readonly ProblemName[] = ['precondition-failed', 'invalid-transition'];

/** A form with more inputs, or more characters in them, is not shown again. */
const MAXIMUM_INPUTS = 200;
const MAXIMUM_CHARACTERS = 100_000;

/** True if a form is small enough to be shown again. */
function isSmall(submitted: FormFields): boolean {
  if (submitted.size > MAXIMUM_INPUTS) return false;
  let characters = 0;
  for (const [name, values] of submitted) characters += name.length + values.join('').length;
  return characters <= MAXIMUM_CHARACTERS;
}

/** True if the person can correct the error in the form. A 403 must name inputs, which the form then leaves out. */
const isCorrectable = ({ errors = [] }: Problem, status: number): boolean =>
  CORRECTABLE.includes(status) || (status === 403 && errors.some(({ pointer }) => pointer));

/**
 * Shows a refused form to a browser again, with the submitted values and each message at its input. Undefined for a
 * form that is too large to show again, and for an error that no form can correct. The exchange has what the steps
 * before the refusal have added. `lines`: those of the items in a table that the person has sent.
 */
export async function refusedForm(
  exchange: Received & Partial<Done>,
  problem: Problem,
  submitted: FormFields,
  lines?: readonly number[],
): Promise<Response | undefined> {
  const { endpoint, route, parameters, request, resource, state } = exchange;
  const { status } = PROBLEMS[problem.name];
  if (
    !endpoint ||
    !route ||
    !parameters ||
    !acceptsForms(resource, endpoint) ||
    // A form about several collections has no page of its own.
    !resource.description ||
    !isCorrectable(problem, status)
  )
    return undefined;
  const kind: FormKind = endpoint.form ?? (endpoint.creates ? 'new' : 'edit');
  // The item has changed since the browser got the form. The form now shows its current state and version.
  const isStale = CHANGES.includes(problem.name) && state !== undefined;
  const isShownAgain = isStale || (kind !== 'transition' && kind !== 'delete');
  // A browser cannot fill in chosen files again, and a button has no input to correct.
  if (!isShownAgain || endpoint.content === 'files' || !isSmall(submitted)) return undefined;
  const refused = refusalInWords(exchange, problem, { kind, submitted, isStale, lines });
  const { expansions, fieldLimits, sight } = exchange;
  const asked = { kind, route, parameters, state, sight, fieldLimits };
  const sent = { sent: submitted, refused, isStale };
  const document = formOf(asked, { ...request, resource }, expansions, sent);
  return pageResponse(status, document, { request, resource }, headersOf(problem));
}

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

/** Returns the address of the item that the first form with the same key has made; undefined if none is known. */
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

/** Returns what a form says to the person about its refusal. */
function refusalInWords(
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
