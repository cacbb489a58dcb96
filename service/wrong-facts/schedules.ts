import { existsSync } from 'node:fs';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Schedule } from '../../shared/resource/schedule.ts';
import { moduleAt } from '../folders.ts';
import { sentences } from './fields.ts';
import { wrongNeeds } from './needs.ts';

/** No name has a character that separates names of queues, or a part of the name of a function. */
const NAME = /^[a-z][a-z0-9]{0,39}$/;

/** Returns the faults of the schedules, one sentence each. Each begins with the file of the schedule. */
export function wrongSchedules(
  schedules: readonly { readonly schedule: Schedule; readonly file: string }[],
  registry: readonly Resource[],
): string[] {
  const taken = new Set(registry.map(({ name }) => name));
  return schedules.flatMap(({ schedule: { name, needs, writes, uses }, file }) => {
    const isTaken = taken.has(name);
    taken.add(name);
    const used = [
      ...writes.map((one) => one.name),
      ...uses.flatMap((use) => ('reads' in use ? [use.reads.name] : [])),
    ];
    const wrong = sentences([
      !NAME.test(name) &&
        `the name '${name}' cannot be a part of the name of a queue: use small letters and digits`,
      (isTaken || existsSync(moduleAt(`functions/${name}/handler`))) &&
        `the name '${name}' is that of a resource or of another schedule: choose another one`,
      ...used.map(
        (one) =>
          !registry.some((known) => known.name === one) &&
          `it needs the items of '${one}', which is not a resource of the service: correct reads or writes`,
      ),
      ...(needs ? wrongNeeds(needs, true) : []),
    ]);
    return wrong.map((sentence) => `${file}: ${sentence}.`);
  });
}
