import { join } from 'node:path';

/** The environment of a service that has the resources of a folder of test/fixtures beside its own. */
export const withFixture = (folder: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${join(import.meta.dirname, '../../fixtures', folder, 'register.mjs')}`,
});
