import type { Profiler } from 'node:inspector';

/** The parts of the code, by the address of a module. The first match counts. */
const PARTS: readonly (readonly [pattern: RegExp, part: string])[] = [
  [/\/node_modules\/@middy\//, 'shared/lambda, Middy'],
  [/\/node_modules\//, 'other packages'],
  [/\/engines\/dynamodb\//, 'engines/dynamodb'],
  [/\/engines\//, 'engines: protocol, signature, SQLite'],
  [/\/local\/gateway\//, 'local/gateway'],
  [/\/shared\/lambda\//, 'shared/lambda, Middy'],
  [/\/shared\/aws\//, 'shared/aws: the client of DynamoDB'],
  [/\/shared\/store\//, 'shared/store'],
  [/\/shared\/representations\//, 'shared/representations'],
  [/\/shared\//, 'shared/flow, http, resource'],
  [/^node:(_http|net|internal\/(streams|http|stream_base))/, 'Node: HTTP, sockets'],
];
const REST = 'Node: event loop, system calls';
const IDLE = '(idle)';
/** Functions in the list, after the parts. */
const FUNCTIONS = 15;

/**
 * Divides the CPU time of a request (µs) by a profile: by part of the code, then by function. A function of Node counts
 * for the code that calls it.
 */
export function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, cpu: number): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const callers = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const partOf = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
      const { functionName = '', url = '' } = frames.get(at) ?? {};
      if (functionName === '(garbage collector)') return 'garbage collection';
      const part = PARTS.find(([pattern]) => pattern.test(url));
      if (part) return part[1];
    }
    return REST;
  };
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  const add = (to: Map<string, number>, name: string, time: number) =>
    to.set(name, (to.get(name) ?? 0) + time);
  samples.forEach((id, at) => {
    const { functionName = '', url = '', lineNumber = 0 } = frames.get(id) ?? {};
    const time = timeDeltas[at] ?? 0;
    if (functionName === IDLE) return;
    total += time;
    add(parts, partOf(id), time);
    add(functions, `${functionName} ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`, time);
  });
  const lines = (times: Map<string, number>, count: number) =>
    [...times]
      .sort(([, one], [, other]) => other - one)
      .slice(0, count)
      .map(([name, time]) => {
        const share = time / total;
        return `${(cpu * share).toFixed(1).padStart(8)} µs ${(100 * share).toFixed(1).padStart(5)} %  ${name}`;
      });
  return [...lines(parts, parts.size), '', ...lines(functions, FUNCTIONS)].join('\n');
}
