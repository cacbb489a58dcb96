import type { Preconditions, Validators } from '../../../http/conditional/conditions.ts';
import { formatEntityTag, withoutCodings } from '../../../http/conditional/entity-tag.ts';
import { csv, safeCsv } from '../../../representations/csv/csv.ts';
import { json, jsonl, ndjson } from '../../../representations/json.ts';
import type { PlainRepresentation } from '../../../representations/representation.ts';
import { textXml, xml } from '../../../representations/xml/xml.ts';
import type { State } from '../../../resource/actions/outcome.ts';
import type { View } from '../../exchange.ts';
import { renderWithinLimit } from '../rendered.ts';
import { validatorsOf } from './validators.ts';

type ListState = Extract<State, { kind: 'list' }>;

/** The formats of lists, except for pages. JSON is the first one. */
const FORMATS: readonly PlainRepresentation[] = [json, xml, textXml, csv, jsonl, ...ndjson, safeCsv];

/**
 * The preconditions of a write to a list, and the validators to compare. The write changes the list in every format
 * and coding, so the tag of any representation may match. The validators are those of the format that a precondition
 * names, or those of JSON.
 */
export async function listPreconditions(
  exchange: View,
  state: ListState,
  sent: Preconditions,
): Promise<{ given: Preconditions; current: Validators }> {
  const given = {
    ...sent,
    ifMatch: withoutCodings(sent.ifMatch),
    ifNoneMatch: withoutCodings(sent.ifNoneMatch),
  };
  const tags = `${given.ifMatch} ${given.ifNoneMatch}`;
  let first: Validators | undefined;
  for (const representation of FORMATS) {
    const view = { ...exchange, representation };
    const shown = await renderWithinLimit(view, state);
    const current = validatorsOf(view, shown.state, shown);
    if (current.etag && tags.includes(formatEntityTag(current.etag))) return { given, current };
    first ??= current;
  }
  return { given, current: first ?? {} };
}
