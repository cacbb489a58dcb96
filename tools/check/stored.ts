import { RELEASED } from '../../infra/stored.ts';
import { registry } from '../../service/registry.ts';
import { linesOf } from '../command/check/change.ts';
import { storedChanges } from '../command/check/stored.ts';

/**
 * `npm run check -- stored` compares the definitions with docs/stored.released.json. It fails if this release could not
 * read stored items, and lists the steps of other changes.
 */
const changes = storedChanges(registry, RELEASED);
for (const line of linesOf(changes)) console.log(line);
process.exitCode = changes.some(({ effect }) => effect === 'breaks') ? 1 : 0;
