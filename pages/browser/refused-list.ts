import { answer, type Responses } from '../../shared/flow/answer.ts';
import { respond } from '../../shared/flow/response/respond.ts';
import type { Problem } from '../../shared/http/problem.ts';
import type { Request } from '../../shared/http/request.ts';
import type { Response } from '../../shared/http/response.ts';
import { comparisonOf } from '../../shared/resource/lists/filter-parameter.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { isListPage } from './ordinary-request.ts';
import { withParts } from './responses.ts';

/**
 * Returns the page of a list without the filters whose values are not valid. The form has these values, each with its
 * error. Undefined for other pages, and if something else is not valid.
 *
 * Source: Specification 6.16.
 */
export function refusedList(
  resource: Resource,
  request: Request,
  { name, errors: faults = [] }: Problem,
  refuse: Responses['refuse'],
): Promise<Response> | undefined {
  const isFilter = (parameter = '') => comparisonOf(resource, parameter, request) !== undefined;
  const isFaulty = faults.length > 0 && faults.every(({ parameter }) => isFilter(parameter));
  if (name !== 'validation-error' || !isFaulty || !isListPage(resource, request)) return undefined;
  const query = new Map(
    [...request.query].filter(([one]) => faults.every(({ parameter }) => parameter !== one)),
  );
  return answer(
    resource,
    { ...request, query },
    {
      respond: async (exchange) => {
        const written = faults.map((one) => ({
          ...one,
          written: request.query.get(one.parameter ?? '')?.[0] ?? '',
        }));
        const page = await respond(withParts({ ...exchange, rendered: undefined }, { faults: written }));
        return { ...page, status: 400 };
      },
      refuse,
    },
  );
}
