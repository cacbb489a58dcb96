/** Sends a request. Returns `Location` and the content. @throws Error on another status */
export async function sent(
  url: string,
  init: RequestInit,
  ...statuses: number[]
): Promise<{ location: string; text: string }> {
  const answer = await fetch(url, { redirect: 'manual', ...init });
  const text = await answer.text();
  if (!statuses.includes(answer.status))
    throw new Error(`${answer.status} to ${init.method} ${url}: ${text}`);
  return { location: answer.headers.get('location') ?? '', text };
}

/** Waits for the end of an operation, on the server (`Prefer: wait`) or by polling. */
export async function ended(url: string, location: string): Promise<void> {
  for (;;) {
    const { text } = await sent(url + location, { headers: { Prefer: 'wait=20' } }, 200, 303);
    const { status } = JSON.parse(text) as { status: string };
    if (status === 'Succeeded') return;
    if (status === 'Failed' || status === 'Canceled') throw new Error(text);
  }
}
