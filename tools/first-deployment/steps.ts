/** A step of docs/first-deployment.md. */
export interface Step {
  readonly title: string;
  readonly minutes: number;
  /** Such as `$ 0.01`. */
  readonly cost: string;
  readonly about: string;
  /** Commands for bash. */
  readonly script: string;
  /** What the output must contain. */
  readonly prints: readonly string[];
  /** What a person does and must see. */
  readonly byHand?: string | undefined;
}

const FACTS = /^\*\*(\d+) min, (\$ [\d.]+)\.\*\* ([\s\S]*?)\n\n/;
const BLOCK = /```sh\n([\s\S]*?)```/;
const PRINTS = /^It must print (.*(?:\n.+)*)/m;
const BY_HAND = /^By hand: (.*(?:\n.+)*)/m;

/** Returns the text without the ends of its lines. */
const joined = (text = ''): string => text.trim().replace(/\s+/g, ' ');

/** Returns the steps of the page, and the commands that come before those of each step. @throws Error if it has none */
export function stepsOf(page: string): { readonly before: string; readonly steps: readonly Step[] } {
  const [, ...sections] = page.split(/^## /m);
  const scriptIn = (text: string | undefined): string => BLOCK.exec(text ?? '')?.[1] ?? '';
  const steps = sections.flatMap((section) => {
    const [title = '', ...lines] = section.split('\n');
    const text = lines.join('\n').trimStart();
    const [, minutes, cost = '', about] = FACTS.exec(text) ?? [];
    if (minutes === undefined) return [];
    const prints = [...(PRINTS.exec(text)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
    const [, byHand] = BY_HAND.exec(text) ?? [];
    return [
      {
        ...{ title, minutes: Number(minutes), cost, about: joined(about), script: scriptIn(text), prints },
        byHand: byHand && joined(byHand),
      },
    ];
  });
  if (steps.length === 0) throw new Error('The page has no steps');
  return { before: scriptIn(sections.find((one) => one.startsWith('Before each step\n'))), steps };
}

/** Returns the table of all steps, as the page has it. */
export function tableOf(steps: readonly Step[]): string {
  const rows = steps.map(({ title, minutes, cost, prints, byHand }, at) => {
    const must = [...prints.map((one) => `\`${one}\``), ...(byHand === undefined ? [] : ['by hand'])];
    return `| ${at + 1} | [${title}](#${title.toLowerCase().replaceAll(' ', '-')}) | ${minutes} | ${cost} | ${must.join(', ')} |`;
  });
  return ['| | step | min | cost | must show |', '|---|---|---|---|---|', ...rows].join('\n');
}
