import { cookiesOf } from '../../shared/http/fields/cookie.ts';
import { cookieName, SIGN_IN, SIGN_OUT } from '../../shared/http/sign-in.ts';
import { lazily } from '../../shared/on-demand.ts';
import type { Action } from '../../shared/resource/actions/action.ts';
import { found } from '../../shared/resource/actions/outcome.ts';
import { array, text } from '../../shared/resource/description/fields.ts';
import { PROTECTED_RESOURCE } from '../../shared/resource/link.ts';
import { type Resource, resource } from '../../shared/resource/resource.ts';
import { type Endpoint, open } from '../../shared/resource/route.ts';

/** Other functions contain this resource too, and never sign a person in. */
const actions = lazily(() => import('./sign-in.ts'), ['begin', 'end', 'finish', 'protectedResource']);

/** The scopes that the sign-in requests for a person. The first sign-in loads them. */
interface SignInFacts {
  readonly signInScopes: () => Promise<readonly string[]>;
}

/** A path of this origin: two slashes or a backslash would name a host. */
const PATH = '/(?:[!-.0-\\[\\]-~][!-\\[\\]-~]*)?';

/** The page after the sign-out. A person who is signed in gets the button that signs out. */
const signedOut: Action<'visit'> = ({ visit }) => {
  const cookies = cookiesOf(visit.headers.cookie);
  const isSignedIn = (['access', 'person'] as const).some((kind) =>
    cookies.has(cookieName(kind, visit.basePath)),
  );
  return found({
    kind: 'document',
    name: 'signedOut',
    members: { title: isSignedIn ? 'You are signed in' : 'You are signed out' },
    links: isSignedIn
      ? [{ rel: 'sign-out', href: SIGN_OUT, method: 'POST', title: 'Sign out' }]
      : [{ rel: 'sign-in', href: SIGN_IN, title: 'Sign in' }],
    headers: { 'Cache-Control': 'no-store' },
  });
};

/** The properties that RFC 9728 §2 names. */
const METADATA = {
  resource: text('The address of the service', { example: 'https://api.example.com' }),
  authorization_servers: array('Issuers', text('Issuer', { example: 'https://id.example.com' })),
  scopes_supported: array('Scopes', text('Scope', { example: 'members:read' })),
  bearer_methods_supported: array('Ways to send a token', text('Way', { choices: ['header'] })),
  resource_name: text('Name', { example: 'Resource API' }),
};

/** Returns the sign-in and the sign-out of people who use the pages, and where programs get tokens. */
export const signin = ({ signInScopes }: SignInFacts): Resource =>
  resource({
    name: 'signin',
    title: 'Sign-in',
    about:
      'Sign-in and sign-out of people who use the pages, and where programs get the tokens that they send instead.',
    parameters: {
      to: text('The path to continue at', { maximum: 1500, pattern: PATH, example: '/', seldom: true }),
      code: text('The code of the issuer', {
        maximum: 4000,
        example: 'SplxlOBeZQQYbYS6WxSbIA',
        seldom: true,
      }),
      state: text('The state of the sign-in', { maximum: 100, example: 'af0ifjsldkj', seldom: true }),
      iss: text('The issuer', { maximum: 1000, example: 'https://id.example.com', seldom: true }),
      error: text('The reason of a refusal', { maximum: 200, example: 'access_denied', seldom: true }),
    },
    routes: () =>
      open([
        {
          path: SIGN_OUT,
          endpoints: {
            GET: {
              id: 'signedOut',
              summary: 'Show whether the person is signed in',
              takes: 'visit',
              run: signedOut,
              content: 'none',
              shape: 'document',
              signsIn: true,
              fields: { title: text('Title', { example: 'You are signed out' }) },
            },
            POST: visit('signOut', 'Sign a person out', actions.end),
          },
        },
        {
          path: SIGN_IN,
          endpoints: {
            GET: visit(
              'signIn',
              'Sign a person in',
              async (input) => actions.begin(input, await signInScopes()),
              ['to'],
            ),
          },
        },
        {
          path: `${SIGN_IN}/callback`,
          endpoints: {
            GET: visit('finishSignIn', 'Finish the sign-in of a person', actions.finish, [
              'code',
              'state',
              'iss',
              'error',
            ]),
          },
        },
        {
          path: PROTECTED_RESOURCE,
          endpoints: {
            GET: {
              id: 'protectedResource',
              summary: 'Read who issues tokens for the service',
              takes: 'visit',
              run: async (input) => actions.protectedResource(input, await signInScopes()),
              content: 'none',
              shape: 'document',
              refusals: ['not-found'],
              fields: METADATA,
            },
          },
        },
      ]),
  });

/** Returns an endpoint that reads the cookies of a browser and leads it elsewhere. */
function visit(id: string, summary: string, run: Action<'visit'>, parameters?: readonly string[]): Endpoint {
  return {
    id,
    summary,
    takes: 'visit',
    run,
    content: 'none',
    signsIn: true,
    refusals: ['validation-error', 'forbidden', 'not-found'],
    ...(parameters ? { parameters } : {}),
  };
}
