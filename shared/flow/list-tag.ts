import type { Validators } from '../http/conditions.ts';
import { formatEntityTag } from '../http/entity-tag.ts';
import { json } from '../representations/json.ts';
import type { PlainRepresentation } from '../representations/representation.ts';
import { xml } from '../representations/xml.ts';
import type { State } from '../resource/outcome.ts';
import type { Exchange } from './exchange.ts';
import { validatorsOf } from './validators.ts';

/**
 * What preconditions of a write to a list are compared with: it changes the list whatever that is represented in, so
 * that the tag of any of its representations will do. That is the one they name, or JSON's.
 */
export function ofList(exchange: Exchange, state: State): Validators {
  const { ifMatch = '', ifNoneMatch = '' } = exchange.preconditions;
  const written = (representation: PlainRepresentation) =>
    validatorsOf({ ...exchange, representation }, state);
  const validators = written(json);
  for (const one of [validators, written(xml)])
    if (one.etag && `${ifMatch} ${ifNoneMatch}`.includes(formatEntityTag(one.etag))) return one;
  return validators;
}
