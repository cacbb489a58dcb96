import { expect } from '@jest/globals';

/** A form on a page: its target, and its inputs with their values. */
export interface ShownForm {
  readonly method: string;
  readonly action: string;
  readonly enctype?: string;
  readonly inputs: ReadonlyMap<string, string>;
}

/** The Accept header field of browsers. */
export const BROWSER = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'navigate',
};

/** An option of a select: its text, and its attributes. */
interface ShownOption {
  readonly text: string;
  readonly value?: string;
  readonly selected?: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Markup as plain text. */
export const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] as string);

/** The attributes of a start tag. */
export function attributes(tag: string): Readonly<Record<string, string>> {
  const found = tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries([...found].map(([, name, value = '']) => [name, unescaped(value)]));
}

/** The forms of a page, in a browser's reading. Commas separate the values of ticked boxes with one name. */
export function formsOf(html: string): ShownForm[] {
  return [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => {
    const { method = 'get', action = '', enctype } = attributes(/<form\b[^>]*>/.exec(form)?.[0] ?? '');
    const inputs = new Map<string, string>();
    for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
      const { name, value = '', type, checked } = attributes(tag);
      const isSent = type !== 'file' && (type !== 'checkbox' || checked !== undefined);
      const before = type === 'checkbox' ? inputs.get(name ?? '') : undefined;
      if (name !== undefined && isSent) inputs.set(name, before === undefined ? value : `${before},${value}`);
    }
    for (const [, tag = '', text = ''] of form.matchAll(/<textarea\b([^>]*)>\n?([\s\S]*?)<\/textarea>/g))
      inputs.set(attributes(tag).name ?? '', unescaped(text));
    for (const [, tag = '', content = ''] of form.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
      const options: ShownOption[] = [...content.matchAll(/<option\b([^>]*)>([^<]*)/g)].map(
        ([, start = '', text = '']) => ({
          ...attributes(start),
          text: unescaped(text),
        }),
      );
      const chosen = options.find(({ selected }) => selected !== undefined) ?? options[0];
      inputs.set(attributes(tag).name ?? '', chosen?.value ?? chosen?.text ?? '');
    }
    return { method, action, enctype, inputs };
  });
}

/** The first form of a page. @throws Error if the page has no form */
export function formOf(html: string): ShownForm {
  const [form] = formsOf(html);
  if (!form) throw new Error(`The page has no form:\n${html}`);
  return form;
}

/** The inputs of a form, with numbers in place of the names of related items. */
export function numbered(inputs: ShownForm['inputs']): ReadonlyMap<string, string> {
  const plain = new Map([...inputs].filter(([name]) => !name.startsWith(':named.')));
  for (const [name, value] of inputs) {
    const field = name.replace(/^:named\./, '');
    if (field !== name) plain.set(field, value.replace(/ .*/, ''));
  }
  return plain;
}

/** Inputs as browsers send them. */
export const urlencoded = (inputs: Iterable<readonly [string, string]>): string =>
  new URLSearchParams([...inputs].map(([name, value]): [string, string] => [name, value])).toString();

/** The text of a page's heading. */
export const headingOf = (html: string): string => unescaped(/<h1>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '');

/** The sections of a page: their headings and their markup. */
export const sectionsOf = (page: string): ReadonlyMap<string, string> =>
  new Map(
    [...page.matchAll(/<section>\n<h2>([^<]*)<\/h2>([\s\S]*?)<\/section>/g)].map(
      ([, heading = '', markup = '']) => [heading, markup],
    ),
  );

/** The texts of the cells of each row, without markup. */
export const rowsOf = (markup: string): string[][] =>
  markup
    .split('<tr>')
    .slice(1)
    .map((row) =>
      row
        .split(/<t[hd]\b[^>]*>/)
        .slice(1)
        .map((cell) => unescaped(cell.replace(/<[^>]*>/g, '')).trim()),
    );

/** Each directive of the policy of a page. Source: Content Security Policy Level 3 §6. */
const POLICY: Readonly<Record<string, unknown>> = {
  'base-uri': "'none'",
  'default-src': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'img-src': "'self'",
  // The script of pages alone.
  'script-src': expect.stringMatching(/^'sha256-[A-Za-z0-9+/]{43}='$/),
  'style-src': "'self'",
};

/** Checks the restrictions of browsers on a page of the service. `headers`: the fields of its response. */
export function expectPagePolicy(headers: Readonly<Record<string, string | undefined>>): void {
  const directives = headers['content-security-policy']?.split('; ').map((one) => one.split(/ (.*)/, 2));
  expect(Object.fromEntries(directives ?? [])).toEqual(POLICY);
  expect(headers['referrer-policy']).toBe('same-origin');
}
