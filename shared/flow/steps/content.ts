import { malformedPrecondition, type Preconditions } from '../../http/conditions.ts';
import type { Request } from '../../http/request.ts';
import type { Description } from '../../resource/description.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import { ACCEPT_ITEM_OR_FORM, READERS } from '../request/accepted-formats.ts';
import { malformed, readAs } from '../request/body.ts';
import { readBytes } from '../request/bytes-body.ts';
import { verifyDigests } from '../request/digests.ts';
import { readForm, takesForm } from '../request/form-body.ts';
import { readItem } from '../request/item-body.ts';
import { step } from '../step.ts';

type Refused = Ending<400 | 413 | 415> | undefined;

/**
 * Reads the preconditions from the header fields, then the content by its media type. This step does not use
 * storage.
 *
 * Source: RFC 9110 §8.3, §8.4, §15.5.14, §15.5.16.
 */
export const content = step('content', [400, 413, 415], (exchange) => {
  const { request, operation } = exchange;
  exchange.preconditions = preconditionsOf(request);
  const unreadable = malformedPrecondition(exchange.preconditions);
  if (unreadable) {
    return refuse('validation-error', `${unreadable} is not a list of entity tags`, {
      errors: [{ header: unreadable, detail: 'must be * or entity tags in double quotes' }],
    });
  }
  const form = takesForm(exchange);
  const button = operation.content === 'none' && operation.form !== undefined && request.method === 'POST';
  if (operation.content === 'none' && !button) return undefined;
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    return refuse('unsupported-media-type', 'Content codings are not supported: send the content as it is', {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  const corrupted = verifyDigests(request);
  if (corrupted) return corrupted;
  if (button && !form) return readNothing(exchange);
  if (operation.content === 'bytes') return readBytes(exchange);
  if (operation.content === 'files') return several(exchange);
  if (operation.content === 'patch') return patched(exchange);
  const ending = form ? readForm(exchange) : readItem(exchange);
  return ending instanceof Promise
    ? ending.then((one) => postponeRefusal(exchange, one))
    : postponeRefusal(exchange, ending);
});

/** Few requests send several files, so the first such request loads the reader. */
const several = async (exchange: Exchange): Promise<Refused> => (await import('#files')).readFiles(exchange);

/** The first PATCH loads the code that reads and applies patches. */
const patched = async (exchange: Exchange): Promise<Refused> =>
  (await import('#patches')).readPatch(exchange);

/**
 * A control URI needs no content. It accepts and ignores a complete body in a known format, because API clients
 * often send one.
 */
async function readNothing({ request, resource }: Exchange): Promise<Refused> {
  if (request.content() === undefined) return undefined;
  const read = readAs(request, READERS, { 'Accept-Post': ACCEPT_ITEM_OR_FORM });
  if ('status' in read) return read;
  const document = await read.format.read(read.bytes, resource.description as Description);
  return 'fault' in document ? malformed(read.format.mediaTypes[0], document.fault) : undefined;
}

/**
 * A missing parent has precedence over faulty content. Look-up reads the parent and then sends one of the two
 * refusals.
 */
function postponeRefusal(exchange: Exchange, ending: Refused): Refused {
  const { problem } = ending ?? {};
  if (!ending || !exchange.operation.parent || !problem) return ending;
  exchange.pendingRefusal ??= { status: ending.status, problem };
  return undefined;
}

function preconditionsOf({ headers }: Request): Preconditions {
  return {
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
  };
}
