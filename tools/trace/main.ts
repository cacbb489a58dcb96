import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILD, MAPS } from '../../service/folders.ts';

const USAGE = `trace FUNCTION [FILE] [--maps DIRECTORY]
  FUNCTION   a function, such as orders or worker: its log group and its lines name it
  FILE       lines of its log; without it, standard input
  DIRECTORY  the source maps of the release; without it, those that the last synthesis here wrote: check out the commit of
             the release, and run npx cdk synth -q first`;

/** A frame of a stack trace in code that Lambda runs. Source: V8, "Stack trace API". */
const FRAME = /at (?:(async )?([^()\n\\]+?) )?\(?(?:file:\/\/)?\/var\/task\/([\w.-]+\.js):(\d+):(\d+)\)?/g;

/** Where code of a bundle comes from. `name`: what the source calls there. */
interface Origin {
  readonly place: string;
  readonly name: string | undefined;
}

/** Returns a function that finds the source of a place in a bundle; undefined for code without a source. */
function originsIn(maps: string) {
  const read = new Map<string, SourceMap | undefined>();
  return (file: string, line: number, column: number): Origin | undefined => {
    const path = join(maps, `${file}.map`);
    if (!read.has(file))
      read.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined);
    const found = read.get(file)?.findEntry(line - 1, column - 1);
    if (!found || !('originalSource' in found)) return undefined;
    const { originalSource, originalLine, originalColumn } = found;
    const name = 'name' in found && typeof found.name === 'string' ? found.name : undefined;
    // Sources are relative to the bundle, two folders below the project.
    const source = originalSource.replace(/^(?:\.\.\/)+/, '');
    return { place: `${source}:${originalLine + 1}:${originalColumn + 1}`, name };
  };
}

/** Returns lines of a log whose stack traces name files, lines and functions of the source. */
function traced(text: string, originOf: ReturnType<typeof originsIn>): string {
  const frames = [...text.matchAll(FRAME)].map(([, , , file = '', line, column]) =>
    originOf(file, Number(line), Number(column)),
  );
  let at = -1;
  return text.replace(FRAME, (whole, isAsync: string | undefined, name: string | undefined) => {
    at += 1;
    // The frame below calls the function of this one, by the name that the source gives it.
    const caller = frames[at + 1]?.name ?? name;
    const place = frames[at]?.place;
    if (place === undefined) return whole;
    return caller === undefined ? `at ${place}` : `at ${isAsync ?? ''}${caller} (${place})`;
  });
}

/** Prints the lines. Returns the exit status. */
function main(): number {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { maps: { type: 'string', default: join(BUILD, MAPS) } },
  });
  const [name, file, ...more] = positionals;
  if (name === undefined || more.length > 0 || !/^[\w-]+$/.test(name)) {
    console.error(USAGE);
    return 2;
  }
  const maps = join(values.maps, name);
  if (!existsSync(maps)) {
    console.error(`There are no source maps of ${name} in ${values.maps}.\n\n${USAGE}`);
    return 2;
  }
  process.stdout.write(traced(readFileSync(file ?? 0, 'utf8'), originsIn(maps)));
  return 0;
}

process.exitCode = main();
