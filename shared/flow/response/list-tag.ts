import type { Validators } from '../../http/conditional/conditions.ts';
import { formatEntityTag } from '../../http/conditional/entity-tag.ts';
import { json } from '../../representations/json.ts';
import type { PlainRepresentation } from '../../representations/representation.ts';
import { xml } from '../../representations/xml/xml.ts';
import type { State } from '../../resource/actions/outcome.ts';
import type { View } from '../exchange.ts';
import { validatorsOf } from './validators.ts';
import { written } from './written.ts';

type ListState = Extract<State, { kind: 'list' }>;

/**
 * The validators for a write to a list. The write changes the list in every format, so the tag of any
 * representation may match. They are those of the representation that the precondition names, or those of JSON.
 */
export async function listValidators(exchange: View, state: ListState): Promise<Validators> {
  const { ifMatch = '', ifNoneMatch = '' } = exchange.preconditions;
  const as = async (representation: PlainRepresentation) => {
    const view = { ...exchange, representation };
    const shown = await written(view, state);
    return validatorsOf(view, shown.state, shown.text);
  };
  const isNamed = ({ etag }: Validators) =>
    etag !== undefined && `${ifMatch} ${ifNoneMatch}`.includes(formatEntityTag(etag));
  const asJson = await as(json);
  if (isNamed(asJson)) return asJson;
  const asXml = await as(xml);
  return isNamed(asXml) ? asXml : asJson;
}
