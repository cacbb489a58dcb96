import { createHash } from 'node:crypto';
import type { Validators } from '../../http/conditions.ts';
import { json } from '../../representations/json.ts';
import type { State } from '../../resource/outcome.ts';
import type { Exchange } from '../exchange.ts';
import { documentOf } from './document.ts';
import { itemTag } from './item-tag.ts';

const DIGEST_CHARACTERS = 22;
const NONE: Validators = {};

/**
 * The validators of the representation that a GET would send: for an item its version and the revision of its
 * definition, for bytes what storage says, for lists and documents a digest of the text itself.
 *
 * Source: RFC 9110 §8.8.
 */
export function validatorsOf(exchange: Exchange, state: State): Validators {
  const { resource, representation = json } = exchange;
  if (state.kind === 'bytes') return { etag: state.bytes.etag, lastModified: state.bytes.lastModified };
  // A page changes with what is around the item, such as its links.
  if (representation.suffix === undefined || state.kind === 'emptyForm') return NONE;
  switch (state.kind) {
    case 'item': {
      const { version, updatedAt } = state.item;
      return {
        etag: itemTag(version, resource.revision, representation.suffix),
        lastModified: updatedAt,
      };
    }
    default: {
      const { rendered } = exchange;
      const text =
        rendered?.state === state ? rendered.text : representation.write(documentOf(exchange, state));
      const digest = createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARACTERS);
      return { etag: { weak: false, opaque: `${digest}-${representation.suffix}` } };
    }
  }
}
