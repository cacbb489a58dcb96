import { configureLog } from '../../../shared/aws/log.ts';
import { lineBytes } from '../../../tools/cost/assumptions.ts';

/** Properties whose number of digits differs between runs. */
const TIMES = ['Duration', 'duration'];

/** Returns the result of the work, and the bytes of its log lines as CloudWatch bills them. */
export async function collectLogLines<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; lines: readonly number[] }> {
  const lines: number[] = [];
  configureLog((level, line) => {
    if (level === 'info') lines.push(bytesOf(line));
  });
  try {
    return { result: await work(), lines };
  } finally {
    configureLog();
  }
}

/** Gives each time the usual number of digits and leaves out cold starts, so that every run gets the same bytes. */
function bytesOf(text: string): number {
  const members: Record<string, unknown> = JSON.parse(text);
  for (const name of TIMES) if (name in members) members[name] = 10.5;
  if ('ColdStarts' in members) members.ColdStarts = 0;
  if ('coldStart' in members) members.coldStart = false;
  return lineBytes(JSON.stringify(members));
}
