/** What the programs of the clients in TypeScript share. Each step prints a line: its number and `ok`, or the fault. */

/** The first bytes of a PNG, and more. */
export const IMAGE = new Uint8Array(300).map(
  (_, at) => (at < 4 ? [0x89, 0x50, 0x4e, 0x47][at] : at % 256) ?? 0,
);

/** Runs a step. */
export async function step(number: number, run: () => Promise<void>): Promise<void> {
  try {
    await run();
    console.log(`${number} ok`);
  } catch (error) {
    console.log(`${number} ${error instanceof Error ? error.message : String(error)}`.replaceAll('\n', ' '));
  }
}

/** Fails unless both are equal. */
export function equal(found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${String(found)} is not ${String(wanted)}`);
}

/** Returns the value. @throws Error if it is missing */
export function given<Value>(value: Value | undefined | null): Value {
  if (value === undefined || value === null) throw new Error('a value is missing');
  return value;
}

/** Returns the value of `after` in the link to the next page. */
export const afterIn = (links: readonly { rel: string; href: string }[] | undefined): string =>
  given(
    new URL(given(links?.find(({ rel }) => rel === 'next')).href, 'http://localhost').searchParams.get(
      'after',
    ),
  );

/** Reads an operation until it has ended. */
export async function ended<Operation extends { status?: string }>(
  read: () => Promise<Operation | undefined>,
): Promise<Operation> {
  for (;;) {
    const operation = given(await read());
    if (operation.status !== 'NotStarted' && operation.status !== 'Running') return operation;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
