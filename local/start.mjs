/**
 * The way into `npm start`: plain JavaScript, so that a Node that cannot read TypeScript or has no SQLite says so in
 * a sentence. On Linux and Windows npm brings the right Node along; elsewhere the machine's own has to be new enough.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `Node ${process.versions.node} runs this, but 24.15 or newer is needed: install it, then run npm start again.`,
  );
  process.exit(1);
}
await import('./main.ts');
