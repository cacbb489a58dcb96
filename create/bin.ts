#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeService } from './service.ts';

/** `npm create resource-api NAME` makes a service in the new folder NAME, with the version of this package. */
const [name, ...others] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
  version: string;
};
if (name === undefined || name.startsWith('-') || others.length > 0) {
  console.error('npm create resource-api NAME\n  NAME  the new folder of the service, such as shop');
  process.exitCode = 2;
} else if (existsSync(join(resolve(name), 'package.json'))) {
  console.error(
    `${name} has a package.json already. Choose another name, or run npx resource-api init there.`,
  );
  process.exitCode = 2;
} else {
  makeService(resolve(name), version);
  console.log(`\ncd ${name} && npm start`);
}
