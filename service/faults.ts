import { dirname, relative } from 'node:path';
import { definitions, scheduleDefinitions } from './definitions.ts';
import { SERVICE } from './folders.ts';
import { registry } from './registry.ts';
import { wrongFacts } from './wrong-facts/resources.ts';
import { wrongSchedules } from './wrong-facts/schedules.ts';
import { wrongTable } from './wrong-facts/tables.ts';

const paths = (await definitions()).map(({ resource, file }) => [resource, relative(SERVICE, file)] as const);
const timed = (await scheduleDefinitions()).map(({ schedule, file }) => ({
  schedule,
  file: relative(SERVICE, file),
}));
/** The files of the author. The package has the others. */
const files = new Map(paths.filter(([, path]) => dirname(path) === 'functions'));

/** Returns the faults of all definitions of the service, one sentence each; empty if they are right. */
export const faults = (): string[] => [
  ...wrongFacts(registry, files),
  ...wrongSchedules(timed, registry),
  ...registry.flatMap((one) =>
    wrongTable(one).map((sentence) => `${files.get(one) ?? one.name}: ${sentence}.`),
  ),
];

/** @throws Error with all sentences, if a definition is wrong */
export function refuseFaults(): void {
  const wrong = faults();
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}
