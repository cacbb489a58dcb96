import {
  answer,
  BEFORE_CONTENT,
  orUnavailable,
  type Responses,
  responseTo,
} from '../../shared/flow/answer.ts';
import { type Answerable, EMPTY_EXCHANGE } from '../../shared/flow/exchange.ts';
import { problemResponse } from '../../shared/flow/response/problem.ts';
import { respond } from '../../shared/flow/response/respond.ts';
import { problem } from '../../shared/http/problem.ts';
import type { Request } from '../../shared/http/request.ts';
import type { Response } from '../../shared/http/response.ts';
import { sentFields } from '../../shared/representations/forms/form-document.ts';
import {
  type FormParts,
  readFormFields,
  withFields,
} from '../../shared/representations/forms/form-reader.ts';
import { type FormFields, ITEMS_INPUT, isFormType } from '../../shared/representations/forms/inputs.ts';
import type { FormPart } from '../../shared/representations/forms/multipart.ts';
import { html } from '../../shared/representations/html.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { PLAN_INPUT, WITH_INPUT } from '../page-inputs.ts';
import { download, leadToShortAddress } from './list-address.ts';
import { namedAt, namesIn, searchNames, withNamedFilters, withNumbers } from './names.ts';
import { asksForCount, COUNT, isForPage, isListPage, ordinaryRequest } from './ordinary-request.ts';
import { overviewOf } from './overview.ts';
import { asPlan, planPage, withFile } from './plan.ts';
import { afterForm } from './redirect.ts';
import { refusedForm } from './refused-form.ts';
import { refusedList } from './refused-list.ts';
import { leadTo, withParts } from './responses.ts';
import { endedSignIn, leadToSignIn } from './sign-in.ts';
import { withTicked } from './ticked-rows.ts';

/**
 * The room in front of the flow for people. It turns what browsers send into ordinary requests, outcomes of forms into
 * redirects, and refusals into the form with its inputs. The steps of the flow know none of them.
 *
 * Source: Specification 6, 11.8.
 */
export async function answerBrowser(resource: Resource, sent: Request): Promise<Response> {
  const lead = leadToSignIn(resource, sent);
  if (lead) return lead;
  if (isListPage(resource, sent)) {
    const other = leadToShortAddress(resource, sent) ?? (await download(resource, sent));
    if (other) return other;
  }
  const request = ordinaryRequest(resource, sent);
  if (!isForPage(request)) return answer(resource, request, responsesTo(undefined));
  return orUnavailable(request, async () => {
    const form = await formOf(request);
    if (!form) return answer(resource, await withNamedFilters(resource, request), responsesTo(undefined));
    return answerForm(resource, { ...request, content: () => form.bytes }, form);
  });
}

/** Returns the content of a form, and the inputs that count; undefined if the content is not a readable form. */
async function formOf({ method, headers, content }: Request): Promise<SentForm | undefined> {
  const type = headers['content-type'] ?? '';
  const bytes = content();
  if (method !== 'POST' || bytes === undefined || !isFormType(type)) return undefined;
  const read = await readFormFields(bytes, type);
  if ('fault' in read) return undefined;
  const form = withFile(read);
  const fields = sentFields(form);
  const hasItems = form.files.some(({ name }) => name === ITEMS_INPUT);
  return {
    bytes: form === read ? bytes : withFields(bytes, form, form.fields),
    form,
    fields: hasItems ? new Map([...fields, [ITEMS_INPUT, []]]) : fields,
  };
}

interface SentForm {
  readonly bytes: Uint8Array;
  readonly form: FormParts;
  readonly fields: FormFields;
}

/**
 * Returns the response to a form. A button can be for the ticked rows of a list, and names in it can have no number
 * yet. Both count only if the caller may use the form, and if it is on a page of this service.
 */
async function answerForm(
  resource: Resource,
  request: Request,
  { bytes, form, fields }: SentForm,
): Promise<Response> {
  const named = namedAt(resource, request);
  const names = namesIn(named, request, fields);
  const items = form.files.find(({ name }) => name === ITEMS_INPUT);
  const first = responsesTo(fields, items);
  if (fields.has(PLAN_INPUT))
    return planPage(resource, request, fields, await answer(resource, asPlan(request), first), items);
  if (!fields.has(WITH_INPUT) && names.length === 0)
    return answer(resource, numbered(named, request, bytes, form), first);
  // Each ticked row is a request of its own, so a list takes them without a POST for itself.
  const isClosed = fields.has(WITH_INPUT) && resource.closed?.includes('create');
  const passage = await BEFORE_CONTENT.run({
    ...EMPTY_EXCHANGE,
    request: isClosed ? { ...request, method: 'GET' } : request,
    resource,
    respond: first.respond,
  });
  if (passage.kind === 'ended') return responseTo(passage.ending, passage.exchange, first);
  if (fields.has(WITH_INPUT)) return withTicked(resource, request, fields);
  const searched = await searchNames(names, fields, request);
  const responses = responsesTo(searched.fields);
  if (searched.faults.length > 0) {
    const refused = problem('validation-error', 'Choose the items that you mean', {
      errors: searched.faults,
    });
    return responses.refuse(refused, passage.exchange);
  }
  const whole = { ...form, fields: new Map([...form.fields, ...searched.fields]) };
  return answer(resource, numbered(named, request, bytes, whole), responses);
}

/** Returns the request with numbers instead of the names of related items. */
function numbered(
  named: ReturnType<typeof namedAt>,
  request: Request,
  bytes: Uint8Array,
  form: FormParts,
): Request {
  // A form can carry megabytes of files, and only related items have names.
  if (Object.keys(named.relations).length === 0) return request;
  const content = withFields(bytes, form, withNumbers(named, form.fields));
  return { ...request, content: () => content };
}

/** Returns the responses to a person. `fields`: the inputs of the form that the person has sent. */
const responsesTo = (fields: FormFields | undefined, items?: FormPart): Responses => ({
  respond: async (exchange) => {
    if (exchange.representation !== html) return respond(exchange);
    return afterForm(exchange, fields) ?? home(exchange) ?? respond(shownTo(exchange));
  },
  refuse: async (refused, exchange) => {
    const { request, resource, route, representation } = exchange;
    const problem = endedSignIn(refused, request, resource, route);
    const isAgain = fields && representation === html;
    const again = isAgain ? await refusedForm(exchange, problem, fields, await linesIn(items)) : undefined;
    const list = refusedList(resource, request, problem, async () => problemResponse(problem, request));
    return again ?? list ?? problemResponse(problem, request);
  },
});

/** Returns the home page, with what all collections have; undefined for every other page. Source: Specification 6.15. */
function home(exchange: Answerable): Promise<Response> | undefined {
  const { request, resource } = exchange;
  const { shows } = resource;
  if (!shows || request.path !== '/') return undefined;
  return shows().then(async (all) => {
    const faults: unknown[] = [];
    const matches: (string | undefined)[] = [];
    const overview = overviewOf(all, request, faults, matches);
    const response = await respond(withParts(exchange, { overview }));
    const [only] = matches;
    if (only !== undefined && matches.length === 1) return leadTo(only);
    return faults.length > 0 ? { ...response, fault: faults[0] } : response;
  });
}

/** Returns the lines of the items in a file; undefined if it is not a table. */
async function linesIn(items: FormPart | undefined): Promise<readonly number[] | undefined> {
  if (!items?.filename?.toLowerCase().endsWith('.csv')) return undefined;
  const { itemLines } = await import('../../shared/representations/csv/csv-reader.ts');
  return itemLines(items.bytes);
}

/** People read what an operation did, and then follow the link to its result. They have not sent the preference. */
function shownTo(exchange: Answerable): Answerable {
  const { outcome, applied, request } = exchange;
  return {
    ...exchange,
    outcome: outcome.kind === 'found' ? { ...outcome, seeOther: undefined } : outcome,
    applied: asksForCount(request) ? applied.filter((one) => one !== COUNT) : applied,
  };
}
