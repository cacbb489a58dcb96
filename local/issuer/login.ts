import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { html, raw } from 'hono/html';
import type Provider from 'oidc-provider';

/** The people of the local issuer: their subjects, which are also names of programs, and their names. */
export const PEOPLE: Readonly<Record<string, string>> = { ada: 'Ada Byron', bob: 'Bob Kahn' };

/** The path of the login page. The identifier of the sign-in follows. */
const LOGIN = '/interaction/';

export const loginPath = (uid: string): string => LOGIN + uid;

/** True if the login page serves this request. */
export const isLogin = ({ url = '' }: IncomingMessage): boolean => url.startsWith(LOGIN);

/** Returns the scopes of the API that the person can grant. */
const grantable = (requested: unknown, scopes: readonly string[]): string[] =>
  String(requested ?? '')
    .split(' ')
    .filter((one) => scopes.includes(one));

/**
 * Returns the login page: a person of this machine chooses who to be and which scopes to have. There are no passwords,
 * because the issuer listens on this machine only.
 */
export async function login(
  provider: Provider,
  { audience, scopes }: { readonly audience: string; readonly scopes: readonly string[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const requested = grantable(params.scope, scopes);
  if (request.method !== 'POST') {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end((await page('Sign in', question(requested))).toString());
    return;
  }
  const form = new URLSearchParams(await text(request));
  const accountId = form.get('person') ?? '';
  if (!Object.hasOwn(PEOPLE, accountId)) {
    response.writeHead(400, { 'Content-Type': 'text/plain' }).end('Choose a person.');
    return;
  }
  const chosen = requested.filter((one) => form.getAll('scope').includes(one));
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  grant.addResourceScope(audience, chosen.join(' '));
  grant.rejectResourceScope(audience, requested.filter((one) => !chosen.includes(one)).join(' '));
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const question = (requested: readonly string[]) => html`<form method="post">
<fieldset><legend>Person</legend>
${Object.entries(PEOPLE).map(
  ([id, name], at) =>
    html`<p><label><input type="radio" name="person" value="${id}"${at === 0 && html` checked`}> ${name}</label></p>`,
)}
</fieldset>
<fieldset><legend>Scopes</legend>
${requested.map((one) => html`<p><label><input type="checkbox" name="scope" value="${one}" checked> ${one}</label></p>`)}
</fieldset>
<p><button>Sign in</button></p>
</form>`;

/** Returns the page that asks whether to end the session of the issuer. `form`: the form of the issuer, without a button. */
export const logoutPage = async (form: string): Promise<string> =>
  (
    await page(
      'Sign out',
      html`<p>Do you want to end the session of the local issuer too?</p>
${raw(form)}
<p><button form="op.logoutForm" name="logout" value="yes">Sign out</button></p>`,
    )
  ).toString();

const page = (title: string, body: ReturnType<typeof html>) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem } button { font: inherit; padding: .5rem 1rem }</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>This is the issuer of <code>npm start -- --auth</code>. It has no passwords.</p>
${body}
</main>
</body>
</html>
`;
