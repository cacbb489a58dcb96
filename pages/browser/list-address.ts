import { answer } from '../../shared/flow/answer.ts';
import { pairsOf, withQuery } from '../../shared/http/paths.ts';
import type { Request } from '../../shared/http/request.ts';
import type { Response } from '../../shared/http/response.ts';
import { safeCsv } from '../../shared/representations/csv/csv.ts';
import { html } from '../../shared/representations/html.ts';
import { comparisonOf } from '../../shared/resource/lists/filter-parameter.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { meantIds, namedInput } from '../forms/named-input.ts';
import { COLUMNS_PARAMETER, FORMAT_PARAMETER } from '../page-inputs.ts';
import { leadTo } from './responses.ts';

/** Parameters of the form above a list, in addition to its filters. */
const OF_FORM = ['limit', 'sort', 'fields'];

/**
 * Leads a browser to the short address of a list. The form above the list sends every input, also empty ones, and
 * each chosen column in a parameter of its own. Undefined if the address is short already.
 *
 * Source: Specification 4.26; HTML Living Standard §4.10.21.
 */
export function leadToShortAddress(resource: Resource, request: Request): Response | undefined {
  const { query, basePath, path } = request;
  const columns = query.get(COLUMNS_PARAMETER)?.[0];
  const meant = (name: string): string | undefined => {
    const ids = query.has(namedInput(name)) ? meantIds(query, name) : undefined;
    return ids?.includes(',') ? undefined : ids;
  };
  const kept = [...query].flatMap(([name, values]): [string, string][] => {
    if (name === COLUMNS_PARAMETER) return [];
    if (name === 'fields') {
      const chosen = values.filter(Boolean).join(',');
      return chosen === '' || chosen === columns ? [] : [[name, chosen]];
    }
    const field = name.slice(namedInput('').length);
    // The number of the only item that a name means is shorter than the name.
    if (name === namedInput(field) && (meant(field) || !query.get(field)?.[0])) return [];
    if (meant(name)) return [[name, meant(name) ?? '']];
    const isInput = OF_FORM.includes(name) || comparisonOf(resource, name, request);
    return values.filter((value) => value !== '' || !isInput).map((value) => [name, value]);
  });
  if (kept.length === pairsOf(query).length) return undefined;
  return leadTo(withQuery(basePath + path, kept));
}

/** Returns the list as a file for a spreadsheet, if the address of its page says so. Source: Specification 2.53, 4.26. */
export async function download(resource: Resource, request: Request): Promise<Response | undefined> {
  if (request.query.get(FORMAT_PARAMETER)?.[0] !== 'csv') return undefined;
  const query = new Map([...request.query].filter(([name]) => name !== FORMAT_PARAMETER));
  // A refusal is a page.
  const accept = `${safeCsv.mediaType}, ${html.mediaType};q=0.5`;
  const response = await answer(resource, { ...request, query, headers: { ...request.headers, accept } });
  if (response.status !== 200) return response;
  const disposition = { 'Content-Disposition': `attachment; filename="${resource.name}.csv"` };
  return { ...response, headers: { ...response.headers, ...disposition } };
}
