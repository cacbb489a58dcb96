import { BROWSER, formOf, formsOf, type ShownForm } from './page.ts';

/** A page as a browser without script sees it, with the addresses of the redirects before it. */
export interface Seen {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly redirects: readonly string[];
}

interface Stored {
  readonly value: string;
  readonly path: string;
  readonly attributes: string;
}

/** A browser with cookies and without script. It treats 127.0.0.1 as secure, as Chromium and Firefox do. */
export class Visitor {
  readonly cookies = new Map<string, Stored>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Opens an address and follows redirects. */
  async open(address: string, init: RequestInit = {}): Promise<Seen> {
    let url = new URL(address, this.#origin);
    const redirects: string[] = [];
    let sent = init;
    for (;;) {
      const cookie = [...this.cookies]
        .filter(([, { path }]) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; ');
      const response = await fetch(url, {
        ...sent,
        redirect: 'manual',
        headers: { ...BROWSER, ...sent.headers, ...(cookie === '' ? {} : { Cookie: cookie }) },
      });
      for (const one of response.headers.getSetCookie()) this.#store(one);
      const location = response.headers.get('location');
      if (location === null || ![302, 303, 307, 308].includes(response.status)) {
        return {
          url,
          status: response.status,
          headers: response.headers,
          text: await response.text(),
          redirects,
        };
      }
      await response.body?.cancel();
      redirects.push(location);
      url = new URL(location, url);
      sent = {};
      if (redirects.length > 20) throw new Error(`Too many redirects: ${redirects.join(' ')}`);
    }
  }

  /** Sends a form of a page. `inputs`: the values that the person changes. */
  submit(
    { url }: Pick<Seen, 'url'>,
    form: ShownForm,
    inputs: Iterable<readonly [string, string]> = form.inputs,
    headers: Record<string, string> = {},
  ): Promise<Seen> {
    return this.open(new URL(form.action || url.href, url).href, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url.origin, ...headers },
      body: new URLSearchParams(
        [...inputs].map(([name, value]): [string, string] => [name, value]),
      ).toString(),
    });
  }

  /** Opens an address of the service and signs in at the local issuer. `without`: scopes that the person refuses. */
  async signIn(person: string, { to = '/', without = [] as readonly string[] } = {}): Promise<Seen> {
    const login = await this.open(to);
    const scopes = [...login.text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = '']) => scope);
    const inputs: [string, string][] = [
      ['person', person],
      ...scopes.filter((one) => !without.includes(one)).map((one): [string, string] => ['scope', one]),
    ];
    return this.submit(login, formOf(login.text), inputs);
  }

  #store(text: string): void {
    const [pair = '', ...rest] = text.split('; ');
    const [name = '', ...value] = pair.split('=');
    const attributes = rest.join('; ');
    const path = /Path=([^;]+)/i.exec(attributes)?.[1] ?? '/';
    if (value.join('=') === '' || /Max-Age=0|expires=Thu, 01 Jan 1970/i.test(attributes))
      this.cookies.delete(name);
    else this.cookies.set(name, { value: value.join('='), path, attributes });
  }
}

/** The form of a page that has this action. @throws Error if no form has it */
export function formTo(html: string, action: string): ShownForm {
  const form = formsOf(html).find((one) => one.action === action);
  if (!form) throw new Error(`The page has no form to ${action}:\n${html}`);
  return form;
}

/** The inputs of a form, with other values for some of them. */
export const filled = (
  { inputs }: ShownForm,
  values: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> => new Map([...inputs, ...Object.entries(values)]);
