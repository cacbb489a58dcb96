#!/usr/bin/env node
/**
 * The command `resource-api` of a service. npm installs the right Node on Linux and Windows. Elsewhere an old Node, which
 * cannot read TypeScript, prints a sentence.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 15)) await import('./commands.ts');
else {
  console.error(`This is Node ${process.versions.node}, but resource-api needs 24.15 or newer: install it.`);
  process.exitCode = 1;
}
