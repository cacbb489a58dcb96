import { homedir } from 'node:os';
import type { Step } from './steps.ts';

/** How a step ended. `differs`: what was other than the page says, in the words of the person or of the tool. */
export interface Result {
  readonly end: 'as the page says' | 'differs' | 'left out';
  readonly minutes: number;
  readonly differs?: string;
  /** Lines of the output, without identifiers. */
  readonly shown: readonly string[];
}

/** What the tool keeps between two calls. `results`: by the title of the step. */
export interface Run {
  readonly commit: string;
  readonly region: string;
  readonly begun: string;
  readonly results: Readonly<Record<string, Result>>;
}

/** What no record may contain, with the word that replaces it. */
const SECRETS: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\x1b\[[\d;]*m/g, ''],
  [/\beyJ[\w-]+\.[\w.-]+/g, 'TOKEN'],
  [/\b\d{12}\b/g, 'ACCOUNT'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, 'EMAIL'],
  [/\b[a-z]{2}(?:-[a-z]+)+-\d_[A-Za-z\d]+/g, 'POOL'],
  [/\b[a-z\d]{8,}(?=\.execute-api\b)/g, 'API'],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UUID'],
  // Ends of physical ids, keys, secrets and hashes.
  [/(?<![\w/])(?=[A-Za-z]*\d)[A-Za-z\d]{12,}(?!\w)/g, 'ID'],
];

/** Returns a text without tokens, account numbers, addresses, and identifiers that AWS has given. */
export const anonymous = (text: string): string =>
  SECRETS.reduce((clean, [pattern, word]) => clean.replace(pattern, word), text.replaceAll(homedir(), '~'));

/** Returns the record of a run: a table of the steps, each difference, and what the steps have shown. */
export function recordOf({ commit, region, begun, results }: Run, steps: readonly Step[]): string {
  const done = steps.flatMap((step) => {
    const result = results[step.title];
    return result === undefined ? [] : [{ step, ...result }];
  });
  const all = done.reduce((sum, { minutes }) => sum + minutes, 0);
  const rows = done.map(
    ({ step, minutes, end }) => `| ${step.title} | ${step.minutes} | ${minutes.toFixed(1)} | ${end} |`,
  );
  const differences = done.flatMap(({ step, differs }) =>
    differs === undefined ? [] : [`- **${step.title}:** ${anonymous(differs)}`],
  );
  const shown = done.flatMap(({ step, shown: lines }) =>
    lines.length === 0 ? [] : [`### ${step.title}\n\n\`\`\`\n${lines.join('\n')}\n\`\`\``],
  );
  return [
    '# The record of a first deployment',
    `\`npm run tool -- first-deployment\` wrote this on ${begun.slice(0, 10)}, with commit ${commit}, in ${region}. The steps: ` +
      'docs/first-deployment.md.',
    ['| step | min, planned | min | end |', '|---|---|---|---|', ...rows].join('\n'),
    `${done.length} of ${steps.length} steps took ${all.toFixed(1)} minutes.`,
    '## Differences',
    differences.join('\n') || 'None.',
    '## What the steps have shown',
    ...shown,
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}
