import { clientOf } from './client.ts';

/** Returns a token of a caller, `ada` or `bob`, for these scopes. `tenant`: its claim of this name. */
export type Issue = (caller: string, scope: string, tenant?: string) => Promise<string>;

/** Waits until a service with `--auth` has printed the address of its issuer. Returns a function that gets tokens. */
export async function issuerOf({
  output,
}: {
  readonly output: () => string | Promise<string>;
}): Promise<Issue> {
  let printed = await output();
  for (let turn = 0; turn < 500 && !printed.includes('/token'); turn += 1) {
    await new Promise((later) => setTimeout(later, 20));
    printed = await output();
  }
  const [, endpoint = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/token/.exec(printed) ?? [];
  return async (caller, scope, tenant) => {
    const answer = await clientOf(endpoint)('POST', '/token', {
      headers: {
        Authorization: `Basic ${Buffer.from(`${caller}:${caller}-secret`).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope,
        ...(tenant === undefined ? {} : { tenant }),
      }).toString(),
    });
    return String(answer.json().access_token);
  };
}
