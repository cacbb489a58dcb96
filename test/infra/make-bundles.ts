import { bundleAll } from '../../infra/bundle/bundle.ts';

/** `node make-bundles.ts DIRECTORY NAME…` bundles functions, and prints the facts of the bundles as JSON. */
const [directory = '', ...names] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await bundleAll(directory, names)));
