import { answer, BEFORE_CONTENT, type Responses, responseTo } from '../flow/answer.ts';
import { type Answerable, startExchange } from '../flow/exchange.ts';
import { problemResponse } from '../flow/response/problem.ts';
import { respond } from '../flow/response/respond.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { html } from '../pages/html.ts';
import { CHOOSE_INPUT, type FormFields, ITEMS_INPUT, isFormType } from '../representations/forms/form.ts';
import { sentFields } from '../representations/forms/form-document.ts';
import { readFormFields } from '../representations/forms/form-reader.ts';
import type { Resource } from '../resource/resource.ts';
import { choiceIn } from './choice.ts';
import { asksForCount, COUNT, ordinaryRequest } from './ordinary-request.ts';
import { afterForm } from './redirect.ts';
import { refusedForm } from './refused-form.ts';
import { endedSignIn, leadToSignIn } from './sign-in.ts';

/**
 * The room in front of the flow for people. It turns what browsers send into ordinary requests, outcomes of forms into
 * redirects, and refusals into the form with its inputs. The steps of the flow know none of them.
 *
 * Source: Specification 6, 11.8.
 */
export async function answerBrowser(resource: Resource, sent: Request): Promise<Response> {
  const lead = leadToSignIn(resource, sent);
  if (lead) return lead;
  const request = ordinaryRequest(resource, sent);
  const fields = await fieldsOf(request);
  const responses = responsesTo(fields);
  const choice = fields?.has(CHOOSE_INPUT) ? await choose(resource, request, fields, responses) : undefined;
  return choice ?? answer(resource, request, responses);
}

/** The inputs of a form; undefined if the content is no readable form. */
async function fieldsOf({ method, headers, content }: Request): Promise<FormFields | undefined> {
  const type = headers['content-type'] ?? '';
  const bytes = content();
  if (method !== 'POST' || bytes === undefined || !isFormType(type)) return undefined;
  const form = await readFormFields(bytes, type);
  if ('fault' in form) return undefined;
  const fields = sentFields(form);
  const hasItems = form.files.some(({ name }) => name === ITEMS_INPUT);
  return hasItems ? new Map([...fields, [ITEMS_INPUT, []]]) : fields;
}

/** The response to a button that leads from a form to a list, if the caller may use the form. */
async function choose(
  resource: Resource,
  request: Request,
  fields: FormFields,
  responses: Responses,
): Promise<Response | undefined> {
  const passage = await BEFORE_CONTENT.run(startExchange(request, resource, responses.respond));
  const ending = passage.kind === 'ended' ? passage.ending : choiceIn(passage.exchange, fields);
  return ending && responseTo(ending, passage.exchange, responses);
}

/** The responses to a person. `fields`: the inputs of the form that the person has sent. */
const responsesTo = (fields: FormFields | undefined): Responses => ({
  respond: async (exchange) => {
    if (exchange.representation !== html) return respond(exchange);
    return afterForm(exchange) ?? respond(shownTo(exchange));
  },
  refuse: async (refused, exchange) => {
    const { request, resource, route, representation } = exchange;
    const problem = endedSignIn(refused, request, resource, route);
    const isAgain = fields && representation === html;
    const again = isAgain ? await refusedForm(exchange, problem, fields) : undefined;
    return again ?? problemResponse(problem, request);
  },
});

/** People read what an operation did, and then follow the link to its result. They have not sent the preference. */
function shownTo(exchange: Answerable): Answerable {
  const { outcome, applied, request } = exchange;
  return {
    ...exchange,
    outcome: outcome.kind === 'found' ? { ...outcome, seeOther: undefined } : outcome,
    applied: asksForCount(request) ? applied.filter((one) => one !== COUNT) : applied,
  };
}
