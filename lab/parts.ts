import { type Check, checks } from './checks.ts';

/** A part of a command that consists of checks. */
export interface Named {
  readonly name: string;
  readonly about: string;
  /** The reason why the part does not run. */
  readonly skipped?: string | undefined;
  run(check: Check): Promise<void>;
}

/** The names of the parts to run: all of them if the user names none. Ends the process for an unknown name. */
export function namesOf(given: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length === 0) return given.length > 0 ? given : known;
  console.error(`Unknown part: ${unknown.join(', ')}. The parts are: ${known.join(', ')}`);
  process.exit(2);
}

/**
 * Runs the parts one after the other. Prints a line for each part, and sets the exit status to 1 if a check failed. An
 * error outside of a check counts as a failed check, and so does a part without a check.
 */
export async function runParts(parts: readonly Named[]): Promise<void> {
  const rows: Awaited<ReturnType<typeof row>>[] = [];
  for (const part of parts) rows.push(await row(part));
  console.log();
  for (const { text, passed, failed } of rows) console.log(`${passed} passed, ${failed} failed: ${text}`);
  const passed = rows.reduce((sum, one) => sum + one.passed, 0);
  const failed = rows.reduce((sum, one) => sum + one.failed, 0);
  console.log(`\nTests: ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function row({ name, about, skipped, run }: Named) {
  console.log(`\n${name}`);
  if (skipped !== undefined) return { text: `${name}, skipped: ${skipped}`, passed: 0, failed: 0 };
  const start = performance.now();
  const { done, check } = checks();
  await run(check).catch((error) => check('runs to its end', () => Promise.reject(error)));
  if (done.length === 0)
    await check('checks something', () => Promise.reject(new Error('The part ran no check')));
  const failed = done.filter(({ failure }) => failure !== undefined).length;
  const seconds = `${Math.round((performance.now() - start) / 1000)} s`;
  return { text: `${name}, ${about}, in ${seconds}`, passed: done.length - failed, failed };
}
