import { essence, mediaTypeFault, parseContentType } from '../../http/fields/media-type.ts';
import type { Fault } from '../../http/problem.ts';
import { parseDisposition } from './disposition.ts';

/** One part of a form: a file if it has a filename, otherwise a field. */
export interface FormPart {
  readonly name: string;
  readonly filename?: string;
  /** The media type that the client sent. A field has the default text/plain; a file without a type has none. */
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
}

/** The parser's result for a part: header fields by lower-case name, undefined if their end is missing. */
interface Found {
  fields?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly chunks: Uint8Array[];
}

/** Maximum number of parts in a body: each needs more memory than its bytes. */
const MAXIMUM_PARTS = 1000;
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;
/** Encodings that change no byte. Others are for mail and deprecated in forms. Source: RFC 7578 §4.7. */
const IDENTITY: ReadonlySet<string | undefined> = new Set([undefined, '7bit', '8bit', 'binary']);

/**
 * Reads the parts of a `multipart/form-data` body, in their order. The parser is strict: an incomplete form is a
 * fault.
 *
 * Source: RFC 7578; RFC 2046 §5.1.1.
 */
export async function readMultipart(
  bytes: Uint8Array,
  contentType: string,
): Promise<{ readonly parts: readonly FormPart[] } | { readonly fault: Fault }> {
  const mediaType = parseContentType(contentType);
  const boundary = mediaType?.parameters.get('boundary') ?? '';
  if (!mediaType || essence(mediaType) !== 'multipart/form-data' || !BOUNDARY.test(boundary)) {
    return { fault: { header: 'Content-Type', detail: 'must be multipart/form-data with a valid boundary' } };
  }
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces = `\r\n${body.toString('latin1')}`.split(`--${boundary}`, MAXIMUM_PARTS + 3);
  if (pieces.length > MAXIMUM_PARTS + 2) {
    return { fault: { detail: `A body has at most ${MAXIMUM_PARTS} parts` } };
  }
  // A gateway may add white space after a boundary, and the parser does not expect it.
  const plain = pieces.map((piece, at) =>
    pieces[at - 1]?.endsWith('\r\n') ? piece.replace(/^[ \t]+(?=\r\n)/, '') : piece,
  );
  const isPlain = plain.every((piece, at) => piece === pieces[at]);
  const found = await split(isPlain ? body : Buffer.from(plain.join(`--${boundary}`), 'latin1'), boundary);
  if (!found) return { fault: { detail: 'The body ends before its closing boundary' } };
  const parts: FormPart[] = [];
  for (const [at, one] of found.entries()) {
    const part = partOf(one);
    if (typeof part === 'string') return { fault: { detail: `Part ${at + 1} ${part}` } };
    const wrong = part.mediaType === undefined ? undefined : mediaTypeFault(part.mediaType);
    if (wrong) return { fault: { header: 'Content-Type', detail: `of part ${at + 1} ${wrong}` } };

    parts.push(part);
  }
  return { parts };
}

/** The parts between the boundaries; undefined if the closing boundary is missing. */
async function split(body: Buffer, boundary: string): Promise<readonly Found[] | undefined> {
  // The first form loads the parser, so cold starts do not load it.
  const { Dicer } = await import('@fastify/busboy');
  return new Promise((resolve) => {
    const found: Found[] = [];
    const parser = new Dicer({ boundary });
    parser.on('part', (part) => {
      const one: Found = { chunks: [] };
      found.push(one);
      part.on('header', (fields) => {
        one.fields = fields as Found['fields'];
      });
      part.on('data', (chunk) => one.chunks.push(chunk as Uint8Array));
      // The parser reports the same error for the whole body.
      part.on('error', () => undefined);
    });
    parser.on('error', () => resolve(undefined));
    parser.on('finish', () => resolve(found));
    parser.end(body);
  });
}

/** The part, or its fault. */
function partOf({ fields, chunks }: Found): FormPart | string {
  const only = (name: string): string | undefined => fields?.[name]?.join(', ');
  const disposition = parseDisposition(only('content-disposition') ?? '');
  if (typeof disposition === 'string') return disposition;
  if (!IDENTITY.has(only('content-transfer-encoding')?.trim().toLowerCase())) {
    return 'has a Content-Transfer-Encoding: send its bytes as they are';
  }
  const sent = only('content-type')?.trim();
  const usual = disposition.filename === undefined ? 'text/plain' : undefined;
  return { ...disposition, mediaType: sent ?? usual, bytes: Buffer.concat(chunks) };
}
