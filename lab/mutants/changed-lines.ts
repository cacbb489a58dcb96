/** Lines that a fault cannot change: imports, comments, and brackets alone. */
const WITHOUT_EFFECT = /^\s*(?:import\b.*|export type\b.*|\/\/.*|\/?\*.*|[\])}{([;,]*)$/;

/** Returns `path:line: text` for each added line with code in the output of `git diff --unified=0`. */
export function linesIn(diff: string): string[] {
  const lines: string[] = [];
  let [path, number] = ['', 0];
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) path = line.replace(/^\+\+\+ (?:b\/)?/, '');
    else if (line.startsWith('@@')) number = Number(/\+(\d+)/.exec(line)?.[1]);
    else if (line.startsWith('+')) {
      const text = line.slice(1);
      if (!WITHOUT_EFFECT.test(text)) lines.push(`${path}:${number}: ${text.trim()}`);
      number += 1;
    }
  }
  return lines;
}

/** Draws at most `count` of the lines, at most one of each module. `next`: numbers from 0 to 1. */
export function sampleOf(lines: readonly string[], count: number, next: () => number): string[] {
  const byModule = Map.groupBy(lines, (line) => line.slice(0, line.indexOf(':')));
  const modules = [...byModule.values()];
  const draw = <Value>(values: Value[]): Value[] => values.splice(Math.floor(next() * values.length), 1);
  const sample: string[] = [];
  while (sample.length < count && modules.length > 0)
    sample.push(...draw(modules).flatMap((own) => draw([...own])));
  return sample;
}
