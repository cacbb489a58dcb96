import { PROBLEMS, type Problem } from '../http/problem.ts';
import type { Response } from '../http/response.ts';
import type { FormKind } from '../resource/route.ts';
import { formOf } from './document.ts';
import type { Exchange } from './exchange.ts';

/** Statuses that say that the form can be mended and sent again. */
const MENDABLE: readonly number[] = [400, 409, 412, 413, 422];

/**
 * A form that was refused, shown to a browser again: as it was sent, with what is wrong beside its inputs. Undefined
 * for programs, and where no form would help.
 */
export function refusedForm(exchange: Exchange, problem: Problem): Promise<Response> | undefined {
  const { submitted, operation, representation, request, resource, state } = exchange;
  const { status, title } = PROBLEMS[problem.name];
  if (!submitted || representation?.suffix !== undefined || !MENDABLE.includes(status)) return undefined;
  const kind: FormKind = operation.form ?? (operation.creates ? 'new' : 'edit');
  // Chosen files cannot be filled in again, and a button has nothing to mend.
  if ((kind !== 'new' && kind !== 'edit') || operation.content === 'files') return undefined;
  const { detail, errors = [] } = problem;
  const document = formOf(exchange, state, kind, { sent: submitted, refused: { title, detail, errors } });
  return representation.write(document, { ...request, resource }).then((body) => ({
    status,
    headers: {
      'Content-Type': representation.contentType,
      'Cache-Control': 'no-store',
      Vary: 'Accept',
      ...representation.headers,
    },
    body,
  }));
}
