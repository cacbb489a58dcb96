import type { Done, Received } from '../../shared/flow/exchange.ts';
import { headersOf } from '../../shared/flow/response/problem.ts';
import { PROBLEMS, type Problem, type ProblemName } from '../../shared/http/problem.ts';
import type { Response } from '../../shared/http/response.ts';
import type { FormFields } from '../../shared/representations/forms/inputs.ts';
import { html } from '../../shared/representations/html.ts';
import type { FormKind } from '../../shared/resource/facts.ts';
import { acceptsForms } from '../../shared/resource/route.ts';
import { formOf } from '../forms/form-of.ts';
import { refusalInWords } from './refusal-in-words.ts';

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
  return {
    status,
    headers: {
      'Content-Type': html.contentType,
      'Cache-Control': 'no-store',
      Vary: 'Accept',
      ...html.headers,
      ...headersOf(problem),
    },
    body: await html.write(document, { request, resource }),
  };
}
