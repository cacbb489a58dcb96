import type { SentRequest } from './client.ts';

/** A part of a form: a field with a text, or a file with bytes, a name and possibly a type. */
export interface FormPart {
  readonly name?: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content?: string | Buffer;
}

const quoted = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** A form as browsers send it. Source: HTML "Multipart form data". */
export function form(...parts: readonly FormPart[]): SentRequest {
  const chunks = parts.flatMap(({ name = 'file', filename, type, content = '' }) => [
    `--form-boundary\r\nContent-Disposition: form-data; name="${quoted(name)}"`,
    filename === undefined ? '' : `; filename="${quoted(filename)}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  return {
    body: Buffer.concat([...chunks, '--form-boundary--\r\n'].map((chunk) => Buffer.from(chunk))),
    headers: { 'Content-Type': 'multipart/form-data; boundary=form-boundary' },
  };
}
