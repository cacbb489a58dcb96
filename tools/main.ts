import { runCommand } from './run-command.ts';

/** `npm run tool -- NAME [ARGUMENTS]` runs one of these commands. Without a name, it lists them. */
await runCommand('npm run tool --', [
  ['audit-hash SUBJECT', 'the hash of a caller in logs and events', () => import('./audit-hash.ts')],
  ['cost [OPTIONS]', 'what the service costs on AWS', () => import('./cost/main.ts')],
  ['first-deployment', 'the first hour on an AWS account', () => import('./first-deployment/main.ts')],
  ['release', 'records what clients and items depend on', () => import('./command/release.ts')],
  ['runbook [SECTION]', 'the runbook, or what to do on an alarm', () => import('./runbook/main.ts')],
  ['smoke URL [TOKEN]', 'checks of a running service: docs/smoke.md', () => import('./smoke/main.ts')],
  ['trace FUNCTION [FILE]', 'the sources of a stack trace in a log', () => import('./trace/main.ts')],
]);
