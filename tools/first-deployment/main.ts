import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { PACKAGE } from '../../service/folders.ts';
import { UserError } from '../user-error.ts';
import { anonymous, type Result, type Run, recordOf } from './record.ts';
import { type Step, stepsOf } from './steps.ts';

const USAGE = `EMAIL=you@example.com AWS_REGION=eu-central-1 npm run tool -- first-deployment [--record FILE] [--work DIRECTORY]
  EMAIL     gets the alarms, and the password of the person who signs in
  --record  what the tool writes after each step; without it, record.md in the directory
  --work    where it notes the steps that are done; without it, .build/first. Remove the directory to begin anew
docs/first-deployment.md has the steps.`;

/** Lines of a failed command in the record. */
const LAST_LINES = 8;

const input = createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]();

/** Asks a person for a line. @throws UserError if the input has ended */
async function ask(question: string): Promise<string> {
  process.stdout.write(`\n${question}\n> `);
  const { done, value } = await input.next();
  if (done)
    throw new UserError('The input has ended. The same command goes on with the steps that are left.');
  return value.trim();
}

/** Runs commands with bash, shows what they print, and returns it with the exit status. */
async function bash(
  script: string,
  WORK: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: PACKAGE,
    env: { ...process.env, WORK },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    from.on('data', (chunk: Buffer) => {
      output += chunk;
      to.write(chunk);
    });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  });
  return { code, output };
}

/** Runs a step until it ends as the page says, or the person has said what differs. */
async function perform({ script, prints, byHand }: Step, before: string, work: string): Promise<Result> {
  for (;;) {
    const start = performance.now();
    const { code, output } = await bash(`${before}\n${script}`, work);
    const missing = prints.filter((one) => !output.includes(one));
    const isRight = code === 0 && missing.length === 0;
    const problem = [
      ...(code === 0 ? [] : [`the exit status is ${code}`]),
      ...missing.map((one) => `the output lacks "${one}"`),
    ].join(', ');
    console.log(isRight ? '\n✓ It has printed what it must print.' : `\n✕ ${problem}`);
    if (byHand !== undefined) console.log(`By hand: ${byHand}`);
    const answer =
      isRight && byHand === undefined
        ? ''
        : await ask(
            'Enter goes on. r repeats the step. Another text notes what differs from the page, and goes on.',
          );
    if (answer === 'r') continue;
    const lines = anonymous(output).trimEnd().split('\n');
    const shown = isRight
      ? lines.filter((line) => prints.some((one) => line.includes(one)))
      : lines.slice(-LAST_LINES);
    const differs = [problem, answer].filter(Boolean).join('; ');
    const minutes = (performance.now() - start) / 60_000;
    return differs === ''
      ? { end: 'as the page says', minutes, shown }
      : { end: 'differs', minutes, shown, differs };
  }
}

/** Shows each step that is left, runs it after Enter, and notes how it ended. The last one removes the deployment. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      record: { type: 'string' },
      work: { type: 'string', default: join(PACKAGE, '.build/first') },
    },
  });
  const { EMAIL, AWS_REGION: region } = process.env;
  if (!EMAIL || !region) throw new UserError(USAGE);
  const { before, steps } = stepsOf(readFileSync(join(PACKAGE, 'docs/first-deployment.md'), 'utf8'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: PACKAGE, encoding: 'utf8' }).trim();
  const work = resolve(values.work);
  const record = resolve(values.record ?? join(work, 'record.md'));
  const state = join(work, 'state.json');
  let run: Run = existsSync(state)
    ? JSON.parse(readFileSync(state, 'utf8'))
    : { commit: git('rev-parse', 'HEAD'), region, begun: new Date().toISOString(), results: {} };
  if (run.region !== region)
    throw new UserError(`The run began in ${run.region}: set AWS_REGION, or remove ${work}`);
  mkdirSync(work, { recursive: true });
  const note = (title: string, result: Result): void => {
    run = { ...run, results: { ...run.results, [title]: result } };
    // A process that ends here leaves the former file or the new one.
    writeFileSync(`${state}.new`, JSON.stringify(run, undefined, 1));
    renameSync(`${state}.new`, state);
    writeFileSync(record, recordOf(run, steps));
  };

  let isEnding = false;
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1;
    if (run.results[step.title] || (isEnding && !isLast)) continue;
    console.log(
      `\n${at + 1} of ${steps.length}: ${step.title} (${step.minutes} min, ${step.cost})\n${step.about}`,
    );
    console.log(`\n${step.script.replace(/^/gm, '  ').trimEnd()}`);
    if (step.prints.length > 0) console.log(`\nIt must print: ${step.prints.join(' … ')}`);
    const answer = await ask(
      isLast
        ? 'Enter removes the deployment. s keeps it, and what it costs.'
        : 'Enter runs it. s leaves it out. q goes to the removal.',
    );
    if (answer === '') note(step.title, await perform(step, before, work));
    else if (isLast)
      console.log('The deployment stays. The same command goes on with the steps that are left.');
    else if (answer === 's') note(step.title, { end: 'left out', minutes: 0, shown: [] });
    else isEnding = true;
  }
  console.log(`\n${record} is what to send back. Read it before.`);
}

try {
  await main();
} catch (error) {
  const isUse = error instanceof TypeError && 'code' in error;
  throw isUse ? new UserError(`${error.message}\n\n${USAGE}`) : error;
}
process.exit();
