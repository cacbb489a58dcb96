#!/usr/bin/env node
import { spawnSync } from 'node:child_process';

/** The version of CDK's command that the package is tested with. */
const VERSION = '2.1148.1';

/** `npx cdk` of a service. npx downloads the command at its first use, because only a deployment needs its 29 MB. */
const args = ['--yes', `aws-cdk@${VERSION}`, ...process.argv.slice(2)];
const { status } = spawnSync('npx', args, { stdio: 'inherit', shell: process.platform === 'win32' });
process.exitCode = status ?? 1;
