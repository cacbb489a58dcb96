import { UserError } from '../user-error.ts';

/** What the commands of the runbook name. `region`: undefined if the command line of AWS chooses it. */
export interface Deployed {
  readonly stack: string;
  readonly region?: string | undefined;
}

/** The commands of this repository that a service has under another name. */
const OWN_COMMANDS = /\bnpm run (?:tool -- )?(data|backfill|audit-hash|smoke|trace|runbook)(?: --)?(?= )/g;

/** Returns a line of a command with the names of the service. */
const withNames = (line: string, { stack }: Deployed): string =>
  line.replace(OWN_COMMANDS, 'npx resource-api $1').replace(/(?<!npx )\bresource-api\b(?!-VERSION)/g, stack);

/** A section of the page: from its heading to the next one that is not below it. */
interface Section {
  readonly slug: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Returns the fragment that leads to a heading. Source: GitHub Docs, "Section links". */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');

/** Returns each line with whether a block of code contains it. */
function* marked(text: string): Generator<readonly [line: string, isCode: boolean]> {
  let isCode = false;
  for (const line of text.split('\n')) {
    const isFence = /^\s*```/.test(line);
    yield [line, isCode && !isFence];
    if (isFence) isCode = !isCode;
  }
}

function sectionsOf(text: string): Section[] {
  const all = [...marked(text)];
  return all.flatMap(([line, isCode], at) => {
    const [, marks = '', title = ''] = (!isCode && /^(#+) (.*)$/.exec(line)) || [];
    if (title === '') return [];
    const rest = all.slice(at + 1);
    const length = rest.findIndex(
      ([one, inCode]) => !inCode && new RegExp(`^#{1,${marks.length}} `).test(one),
    );
    const lines = [line, ...(length < 0 ? rest : rest.slice(0, length)).map(([one]) => one)];
    return [{ slug: slugOf(title), title, lines }];
  });
}

/**
 * Returns the runbook, or one section of it, with the names of a service: in its blocks of code, the stack and the commands
 * of the package. `page`: the text of docs/operations.md and of the pages beside it. `wanted`: the heading or its fragment; an alarm has a section
 * of its name.
 * @throws UserError if the page has no such section
 */
export function runbookFor(page: string, deployed: Deployed, wanted?: string): string {
  const sections = sectionsOf(page);
  const section = wanted === undefined ? undefined : sections.find(({ slug }) => slug === slugOf(wanted));
  if (wanted !== undefined && !section)
    throw new UserError(
      `There is no section ${wanted}. Sections: ${sections.map(({ slug }) => slug).join(', ')}`,
    );
  const text = (section?.lines ?? page.split('\n')).join('\n').trimEnd();
  const named = [...marked(text)].map(([line, isCode]) =>
    isCode
      ? withNames(line, deployed)
      : line.replace(/`([^`]+)`/g, (_, code) => `\`${withNames(code, deployed)}\``),
  );
  const region = deployed.region === undefined ? [] : [`export AWS_REGION=${deployed.region}`];
  return [`# Stack ${deployed.stack}`, ...region, '', ...named, ''].join('\n');
}
