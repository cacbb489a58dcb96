import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readMultipart } from '../../../shared/representations/forms/multipart.ts';
import { anyText } from '../../support/any-text.ts';

const TYPE = 'multipart/form-data; boundary=b';
const FIELD = 'Content-Disposition: form-data; name="a"';

/** Parts of header lines and text, as a body with boundary `b`. */
const body = (...parts: readonly (readonly [string, string])[]) =>
  Buffer.from(`${parts.map(([head, text]) => `--b\r\n${head}\r\n\r\n${text}\r\n`).join('')}--b--\r\n`);

/** The parts with their bytes as text, or the error's detail. */
async function read(bytes: Uint8Array, type = TYPE) {
  const result = await readMultipart(bytes, type);
  if ('fault' in result) return result.fault.detail;
  return result.parts.map(({ bytes: content, ...part }) => ({
    ...part,
    text: Buffer.from(content).toString(),
  }));
}

const labelled = async (disposition: string) => {
  const parts = await read(body([`Content-Disposition: ${disposition}`, '']));
  return Array.isArray(parts) ? [parts[0]?.name, parts[0]?.filename] : parts;
};

describe('RFC 7578: a form', () => {
  test('has fields and files in their order, with the sent types', async () => {
    const form = body(
      [FIELD, 'one'],
      [`${FIELD}; filename="x.bin"`, 'two'],
      [`content-type: Image/PNG; Q="x"\r\n${FIELD}; filename="y.png"`, ''],
      [`${FIELD}; filename=""`, ''],
    );
    expect(await read(form)).toEqual([
      { name: 'a', mediaType: 'text/plain', text: 'one' },
      { name: 'a', filename: 'x.bin', mediaType: undefined, text: 'two' },
      { name: 'a', filename: 'y.png', mediaType: 'Image/PNG; Q="x"', text: '' },
      { name: 'a', filename: '', mediaType: undefined, text: '' },
    ]);
  });
  test('may have no part at all', async () => expect(await read(Buffer.from('--b--'))).toEqual([]));
  test('may have a preamble and an epilogue, which have no effect (RFC 2046 §5.1.1)', async () => {
    const form = Buffer.from(`before\r\n--b\r\n${FIELD}\r\n\r\n1\r\n--b--\r\nafter\r\n--b\r\n`);
    expect(await read(form)).toEqual([{ name: 'a', mediaType: 'text/plain', text: '1' }]);
  });
  test.each([' ', '\t', ' \t '])(
    'may have white space %j after its boundaries (RFC 2046 §5.1.1)',
    async (space) => {
      const form = Buffer.from(
        `--b${space}\r\n${FIELD}\r\n\r\n1\r\n--b${space}\r\n${FIELD}\r\n\r\n2\r\n--b--${space}\r\n`,
      );
      expect(await read(form)).toEqual(
        ['1', '2'].map((text) => ({ name: 'a', mediaType: 'text/plain', text })),
      );
    },
  );
  test('may have any character of a boundary in it', async () => {
    const boundary = "a'()+_,-./:=?b";
    const form = Buffer.from(`--${boundary} \r\n${FIELD}\r\n\r\n1\r\n--${boundary}--`);
    expect(await read(form, `multipart/form-data; boundary="${boundary}"`)).toHaveLength(1);
  });
  test('may have text like a boundary within a line', async () => {
    const text = 'x--b \r\n-b\r\n--c\r\n\r\n--';
    expect(await read(body([FIELD, text]))).toEqual([{ name: 'a', mediaType: 'text/plain', text }]);
  });
  test('may have a quoted boundary', async () => {
    const form = Buffer.from(`--a b:c\r\n${FIELD}\r\n\r\n1\r\n--a b:c--`);
    expect(await read(form, 'multipart/form-data; boundary="a b:c"')).toHaveLength(1);
  });
  test('keeps every byte of a file of 4 MiB', async () => {
    const content = Buffer.alloc(4 * 1024 * 1024, 'line\r\n--');
    const form = Buffer.concat([
      Buffer.from(`--b\r\n${FIELD}; filename="x"\r\n\r\n`),
      content,
      Buffer.from('\r\n--b--'),
    ]);
    const result = await readMultipart(form, TYPE);
    expect('parts' in result && content.equals(result.parts[0]?.bytes as Uint8Array)).toBe(true);
  });
  test('may have 1,000 parts', async () => {
    const parts = Array.from({ length: 1000 }, () => [FIELD, ''] as const);
    expect(await read(body(...parts))).toHaveLength(1000);
  });
});

describe('names', () => {
  test.each([
    ['form-data; name=a', ['a', undefined]],
    ['FORM-DATA ; NAME="a"; FileName="b.txt"', ['a', 'b.txt']],
    ['form-data; name="a"; filename="Grüße 😀;=.txt"', ['a', 'Grüße 😀;=.txt']],
    ['form-data; name="a%22"; filename="%0d%0A%41%.txt"', ['a"', '\r\n%41%.txt']],
    ['form-data; name="a"; filename="q\\"q.txt"', ['a', 'q"q.txt']],
    ['form-data; name="a"; filename="C:\\dir\\x.txt"', ['a', 'x.txt']],
    ['form-data; name="a"; filename="../../x"', ['a', 'x']],
    ['form-data; name=""; filename="x;"', ['', 'x;']],
    ["form-data; name=a; filename=x; filename*=UTF-8''%e2%82%ac%20rates", ['a', '€ rates']],
    ["form-data; name=a; filename*=utf-8'en'x.txt", ['a', 'x.txt']],
    // Of two filenames, the readable one counts. Source: RFC 6266 §4.3; RFC 8187 §3.2.1.
    ["form-data; name=a; filename=x; filename*=iso-8859-1''%e4", ['a', 'x']],
    ["form-data; name=a; filename=x; filename*=UTF-8''%ff", ['a', 'x']],
    ['form-data; name="__proto__"; filename="constructor"', ['__proto__', 'constructor']],
  ])('%s', async (disposition, expected) => expect(await labelled(disposition)).toEqual(expected));

  test.each([
    'form-data',
    'form-data; filename="x"',
    'attachment; name="a"',
    'form-data; name="a',
    'form-data; name="a" b',
    'form-data; name="a"; name="b"',
    'form-data; name="a"; filename="x"; filename="y"',
    'form-data, form-data; name="a"',
  ])('refused: %s', async (disposition) =>
    expect(await labelled(disposition)).toMatch(/^Part 1 has no Content-Disposition that names it/),
  );

  test.each([
    ['name="\xe4"', 'name'],
    ['name="a"; filename="\xe4.txt"', 'filename'],
    ["name=a; filename*=iso-8859-1''%e4", 'filename'],
    ["name=a; filename*=UTF-8''%ff", 'filename'],
  ])('%s: the refusal says that the %s is not UTF-8', async (parameters, named) => {
    const form = Buffer.from(
      `--b\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n\r\n--b--`,
      'latin1',
    );
    expect(await read(form)).toBe(`Part 1 has a ${named} that is not UTF-8`);
  });
});

describe('malformed', () => {
  test.each([
    ['multipart/form-data', 'must be multipart/form-data with a valid boundary'],
    ['multipart/form-data; boundary=""', 'must be multipart/form-data with a valid boundary'],
    ['multipart/form-data; boundary="a "', 'must be multipart/form-data with a valid boundary'],
    [`multipart/form-data; boundary=${'b'.repeat(71)}`, 'must be multipart/form-data with a valid boundary'],
    ['multipart/mixed; boundary=b', 'must be multipart/form-data with a valid boundary'],
    ['', 'must be multipart/form-data with a valid boundary'],
  ])('Content-Type: %s', async (type, detail) => expect(await read(body([FIELD, '']), type)).toBe(detail));

  const truncated = 'The body ends before its closing boundary';
  test.each([
    ['', truncated],
    ['text', truncated],
    ['--b', truncated],
    ['--b\r\n', truncated],
    [`--b\r\n${FIELD}`, truncated],
    [`--b\r\n${FIELD}\r\n\r\n`, truncated],
    [`--b\r\n${FIELD}\r\n\r\ntext`, truncated],
    [`--b\r\n${FIELD}\r\n\r\ntext\r\n--b`, truncated],
    [`--b\r\n${FIELD}\r\n\r\ntext\r\n--b-`, truncated],
    [`--b\r\n${FIELD}\r\n\r\ntext\r\n--b\r\n`, truncated],
    [`--b\r\n${FIELD}\r\n\r\ntext\n--b--`, truncated],
    [`--other\r\n${FIELD}\r\n\r\ntext\r\n--other--`, truncated],
  ])('%j', async (text, detail) => expect(await read(Buffer.from(text))).toBe(detail));

  test.each([
    ['--b\r\n\r\ntext\r\n--b--', /^Part 1 has no Content-Disposition/],
    ['--b\r\n--b--', /^Part 1 has no Content-Disposition/],
    [`--b\r\n${FIELD}\r\n--b--`, /^Part 1 has no Content-Disposition/],
    [`--b\r\n${FIELD}\r\n\r\n1\r\n--b\r\nno field\r\n\r\n2\r\n--b--`, /^Part 2 has no Content-Disposition/],
    [`--b\r\n${FIELD}\r\nContent-Type: text\r\n\r\n\r\n--b--`, /^of part 1 must be a media type/],
    [
      `--b\r\n${FIELD}\r\nContent-Transfer-Encoding: base64\r\n\r\n\r\n--b--`,
      /^Part 1 has a Content-Transfer/,
    ],
  ])('%j', async (text, detail) => expect(await read(Buffer.from(text))).toMatch(detail));

  test('with 1,001 parts', async () => {
    const parts = Array.from({ length: 1001 }, () => [FIELD, ''] as const);
    expect(await read(body(...parts))).toBe('A body has at most 1000 parts');
  });
});

describe('any form', () => {
  const text = anyText({ maxLength: 20 }).filter((one) => !one.includes('\\'));
  const quoted = (name: string) =>
    name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const part = fc.record({
    // These three are what %22, %0D and %0A mean.
    name: text.filter((one) => !/%(?:22|0d|0a)/i.test(one)),
    filename: fc.option(
      // Of a path, the last part counts.
      text.filter((one) => !/%(?:22|0d|0a)|\//i.test(one)),
      { nil: undefined },
    ),
    bytes: fc.uint8Array({ maxLength: 200 }),
  });

  test('reads back as it was written', () =>
    fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const chunks = parts.flatMap(({ name, filename, bytes }) => {
          const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
          const head = `--=_boundary\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n`;
          return [Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n')];
        });
        const form = Buffer.concat([...chunks, Buffer.from('--=_boundary--\r\n')]);
        const result = await readMultipart(form, 'multipart/form-data; boundary="=_boundary"');
        const written = parts.map(({ name, filename, bytes }) => ({
          name,
          ...(filename === undefined ? {} : { filename }),
          mediaType: filename === undefined ? 'text/plain' : undefined,
          bytes: Buffer.from(bytes),
        }));
        expect(result).toEqual({ parts: written });
      }),
      { numRuns: 300 },
    ));

  test('of a browser is readable', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.stringMatching(/^[ -.0-[\]-~]{1,20}$/), fc.uint8Array())),
        async (files) => {
          const form = new FormData();
          for (const [name, bytes] of files) form.append('file', new Blob([bytes]), name);
          const sent = new Response(form);
          const type = sent.headers.get('content-type') as string;
          const result = await readMultipart(new Uint8Array(await sent.arrayBuffer()), type);
          const expected = files.map(([filename, bytes]) => ({
            name: 'file',
            filename: filename.replace(/%22|%0d|%0a/gi, decodeURIComponent),
            mediaType: 'application/octet-stream',
            bytes: Buffer.from(bytes),
          }));
          if (files.length > 0 && !files.some(([name]) => name.includes('\\')))
            expect(result).toEqual({ parts: expected });
        },
      ),
    ));

  test('that is invalid gives an error and never an exception', () => {
    const pieces = fc.constantFrom(
      '--b',
      '\r\n',
      '--',
      '\r\n\r\n',
      FIELD,
      '; filename="x"',
      'x',
      '-',
      ':',
      ' ',
    );
    const soup = fc.array(pieces, { maxLength: 30 }).map((all) => Buffer.from(all.join('')));
    return fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), soup), async (bytes) => {
        const result = await readMultipart(bytes, TYPE);
        expect('parts' in result || result.fault.detail.length > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
