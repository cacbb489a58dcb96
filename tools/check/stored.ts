import { RELEASED } from '../../infra/stored.ts';
import { registry } from '../../service/registry.ts';
import { faultsOf, stepsOf } from './stored-changes.ts';

/**
 * `npm run check -- stored` compares the definitions with docs/stored.released.json. It fails if this release could not
 * read stored items. It lists the steps that are left until every index and every item is up to date.
 */
const faults = registry.flatMap((resource) => faultsOf(resource, RELEASED[resource.name]));
for (const fault of faults) console.error(fault);
for (const step of registry.flatMap((resource) => stepsOf(resource, RELEASED[resource.name])))
  console.log(step);
process.exitCode = faults.length === 0 ? 0 : 1;
