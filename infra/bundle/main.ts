import { BUILD } from '../../service/folders.ts';
import { registry } from '../../service/registry.ts';
import { schedules } from '../../service/schedules.ts';
import { bundleAll, functionsOf } from './bundle.ts';

/** `node main.ts [DIRECTORY NAME…]` bundles functions, all of them without arguments. Prints their facts as JSON. */
const [directory = BUILD, ...names] = process.argv.slice(2);
const wanted = names.length > 0 ? names : functionsOf(registry, schedules);
process.stdout.write(JSON.stringify(await bundleAll(directory, wanted)));
