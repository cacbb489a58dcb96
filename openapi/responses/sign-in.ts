import type { Response } from '../model.ts';
import type { Target } from '../targets.ts';
import { headerRefs } from './headers.ts';

/** Returns the responses of an endpoint that signs a person in or out. Source: RFC 6265 §3. */
export const signInResponses = ({ method }: Target): Record<string, Response> => ({
  303: {
    description: 'The browser continues at `Location`. `Set-Cookie` changes the cookies of the sign-in.',
    headers: headerRefs(['Cache-Control', 'Location', 'Referrer-Policy']),
  },
  ...(method === 'POST'
    ? {
        200: {
          description:
            'The cookies are removed. A page leads the browser to the issuer, which ends its session.',
          headers: headerRefs(['Cache-Control', 'Content-Security-Policy', 'Referrer-Policy', 'Refresh']),
        },
      }
    : {}),
});
