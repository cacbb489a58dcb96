import { type Problem, problem } from '../../http/problem.ts';
import { formatPointer } from '../../json/pointer.ts';
import { problemOfElement, type SentItem } from '../sent.ts';

/**
 * The refusal of fields that the caller cannot set, each with the scope that it needs; undefined if there are none.
 *
 * Source: RFC 6750 §3.1.
 */
export function forbiddenFields(
  fields: readonly (readonly [string, string])[],
): Problem<'forbidden'> | undefined {
  if (fields.length === 0) return undefined;
  const names = fields.map(([name]) => name);
  const scopes = [...new Set(fields.map(([, scope]) => scope))];
  return problem('forbidden', detailOf(scopes, names.join(', ')), {
    errors: fields.map(([name, scope]) => ({
      pointer: formatPointer([name]),
      detail: `needs the scope ${scope}`,
    })),
    scopes,
  });
}

/** The refusal of a list: the forbidden fields of all its elements, and no other faults; undefined if there are none. */
export function forbiddenElements(elements: readonly SentItem[]): Problem<'forbidden'> | undefined {
  const refused = elements.filter(({ problem: found }) => found?.name === 'forbidden' && found.scopes);
  if (refused.length === 0) return undefined;
  const scopes = [...new Set(refused.flatMap(({ problem: found }) => found?.scopes ?? []))];
  const errors = refused.flatMap((one) => problemOfElement(one).errors ?? []);
  const detail = `Nothing was changed. ${detailOf(scopes, 'the named properties')}`;
  return problem('forbidden', detail, { errors, scopes });
}

function detailOf(scopes: readonly string[], what: string): string {
  const several = scopes.length > 1;
  const needed = several ? `The scopes ${scopes.join(' and ')} are` : `The scope ${scopes[0]} is`;
  return `${needed} needed to set ${what}. Get a token with ${several ? 'them' : 'it'}`;
}
