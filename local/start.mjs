import module from 'node:module';
import { join } from 'node:path';

/**
 * The entry point of `npm start`. It is plain JavaScript, so that an old Node, which cannot read TypeScript or has no
 * SQLite, can print a clear sentence. On Linux and Windows, npm installs the right Node. Elsewhere the machine's own
 * Node must be new enough.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `This is Node ${process.versions.node}, but npm start needs 24.15 or newer: install it, then run npm start again.`,
  );
  process.exit(1);
}
// A shell for emulators sets it for all services of AWS. A variable of one service still chooses its engine.
delete process.env.AWS_ENDPOINT_URL;
// The next start reads compiled modules instead of TypeScript, which halves its time.
module.enableCompileCache(join(import.meta.dirname, '../.build/compiled'));
await import('./main.ts');
