import type { Flow } from '../../../../shared/flow/flow.ts';

/**
 * How a flow ends a request, as a text for a table: the status with the problem, then the faults, the header fields and
 * the members of the problem. If the flow does not end it, the text is that of `shown`.
 */
export async function endingOf<Start, End>(
  flow: Flow<Start, End>,
  start: Start,
  shown: (exchange: End) => readonly string[] = () => ['passes'],
): Promise<string> {
  const passage = await flow.run(start);
  if (passage.kind === 'passed') return shown(passage.exchange).join('; ');
  const { status, problem, headers } = passage.ending;
  const faults = (problem?.errors ?? []).map(
    ({ detail, rule: _, ...where }) => `${Object.entries(where).flat().join(' ')}: ${detail}`,
  );
  const fields = Object.entries({ ...headers, ...problem?.headers });
  return [
    problem ? `${status} ${problem.name}: ${problem.detail}` : `${status}`,
    ...faults,
    ...fields.map(([name, value]) => `${name}: ${value}`),
    ...(problem?.scopes ? [`scopes: ${problem.scopes.join(' ')}`] : []),
    ...(problem?.members ? [JSON.stringify(problem.members)] : []),
  ].join('; ');
}
