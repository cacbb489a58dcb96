import { createHash } from 'node:crypto';
import type { Validators } from '../../http/conditional/conditions.ts';
import type { State } from '../../resource/actions/outcome.ts';
import type { View } from '../exchange.ts';
import { documentOf } from './document.ts';
import { itemTag } from './item-tag.ts';

const DIGEST_CHARACTERS = 22;
const NONE: Validators = {};

/**
 * The validators of the representation that a GET would send. For an item, they are its version, the revision of
 * its definition and its time. For bytes, S3 gives them. For lists and documents, the tag is a digest of the text.
 * `text`: the text of the state, if it is rendered already.
 *
 * Source: RFC 9110 §8.8.
 */
export function validatorsOf(exchange: View, state: State, text?: string): Validators {
  const { resource, representation, fields } = exchange;
  if (state.kind === 'bytes') return { etag: state.bytes.etag, lastModified: state.bytes.lastModified };
  // An HTML page also shows things other than the item, such as links, so the version of the item does not identify
  // it.
  if (representation.suffix === undefined || state.kind === 'emptyForm') return NONE;
  switch (state.kind) {
    case 'item': {
      const { version, updatedAt } = state.item;
      const view = fields && [...fields].sort().join(',');
      return {
        etag: itemTag(version, resource.revision, representation.suffix, view),
        lastModified: updatedAt,
      };
    }
    default: {
      const shown = text ?? representation.write(documentOf(exchange, state));
      const digest = createHash('sha256').update(shown).digest('base64url').slice(0, DIGEST_CHARACTERS);
      return { etag: { weak: false, opaque: `${digest}-${representation.suffix}` } };
    }
  }
}
