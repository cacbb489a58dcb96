/** A command of a document, in the section with this heading. Its text is as bash reads it. */
export interface RunbookCommand {
  readonly section: string;
  readonly text: string;
}

const PROGRAM = /^(?:aws|npm|npx|curl|git) /;
/** A heading, a block with its language, or a command in a sentence or a table. */
const PART =
  /^#+ (?<heading>.+)$|^(?<indent> *)```(?<language>\w*)\n(?<block>[\s\S]*?)^ *```$|`(?<inline>[^`]+)`/gm;

/**
 * The commands of a document in their order: those in blocks of `sh`, and those in sentences and tables that have
 * arguments. `aws sqs send-message` is the name of a command.
 *
 * @throws Error if another block has a command
 */
export function commandsIn(document: string): readonly RunbookCommand[] {
  let section = '';
  return [...document.matchAll(PART)].flatMap(({ groups = {} }) => {
    const { heading, indent = '', language, block, inline } = groups;
    if (heading !== undefined) section = heading;
    const texts =
      block === undefined ? named(inline) : statements(`\n${block}`.replaceAll(`\n${indent}`, '\n'));
    const commands =
      block === undefined || language === 'sh' ? texts : texts.filter((text) => PROGRAM.test(text));
    if (block !== undefined && language !== 'sh' && commands.length > 0)
      throw new Error(
        `A block of the section "${section}" has commands, but not the language sh: ${commands[0]}`,
      );
    return commands.map((text) => ({ section, text }));
  });
}

/** The command in a sentence, which can break a line. A program with one or two more words has no arguments. */
function named(inline = ''): string[] {
  const text = inline.replace(/\s+/g, ' ');
  const isName =
    /^(?:aws [\w-]+ [\w-]+|npm (?:ci|start|run(?: (?:tool|data) --)? [\w-]+)|(?:npx cdk|git) \w+)$/.test(
      text,
    );
  return PROGRAM.test(text) && !isName ? [text] : [];
}

/** The statements of a block: lines that continue belong together, and comments are none. */
function statements(block: string): string[] {
  const found: string[] = [];
  let open = '';
  for (const line of block.split('\n')) {
    const text = open + line;
    open = continues(text) ? `${text}\n` : '';
    if (open === '' && text.trim() !== '' && !text.trimStart().startsWith('#')) found.push(text.trim());
  }
  return found;
}

/** True if bash waits for another line: after `\` or `|`, in quotes, in parentheses, or in a loop. */
function continues(text: string): boolean {
  const count = (part: RegExp) => text.match(part)?.length ?? 0;
  if (/[\\|]$/.test(text) || count(/(?<!\\)"/g) % 2 === 1) return true;
  return count(/'/g) % 2 === 1 || count(/^ *for /gm) > count(/^ *done/gm) || count(/\(/g) > count(/\)/g);
}

/** A call of the AWS CLI: the service, the operation and the names of its options. */
export interface AwsCall {
  readonly service: string;
  readonly operation: string;
  readonly options: readonly string[];
}

/** The calls of the AWS CLI in a command. */
export const awsCallsIn = (text: string): readonly AwsCall[] =>
  text
    .replaceAll('\\\n', ' ')
    .replace(/'[^']*'|"[^"]*"/g, 'text')
    .split(/[|()]/)
    .flatMap((part) => {
      const [, service = '', operation = '', rest = ''] =
        /\baws ([a-z\d-]+) ([a-z\d-]+)(.*)/s.exec(part) ?? [];
      const options = [...rest.matchAll(/ --([a-z\d-]+)/g)].map(([, name = '']) => name);
      return service === '' ? [] : [{ service, operation, options }];
    });
