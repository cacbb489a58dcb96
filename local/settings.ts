import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { SERVICE } from '../service/folders.ts';
import { SECRET, VARIABLE } from '../shared/aws/config.ts';
import type { Resource } from '../shared/resource/resource.ts';

/** The values of variables and secrets by their names. */
export interface GivenSettings {
  readonly variables?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** The file in the folder of the service whose values `npm start` reads. It is in no repository. */
export const ENVIRONMENT_FILE = join(SERVICE, '.env');

/** Returns the values of the environment and of the file. The environment wins. */
function settingsHere(): GivenSettings {
  const file = existsSync(ENVIRONMENT_FILE) ? parseEnv(readFileSync(ENVIRONMENT_FILE, 'utf8')) : {};
  const values = { ...file, ...process.env } as Readonly<Record<string, string>>;
  return { variables: values, secrets: values };
}

/**
 * Puts what `needs` of definitions names where the functions read it, as a deployment does. `given`: the values; undefined:
 * those of the environment and of the file `.env`. Returns a sentence for each that is missing.
 */
export function provideSettings(
  needing: readonly Pick<Resource, 'name' | 'needs'>[],
  { variables = {}, secrets = {} }: GivenSettings = settingsHere(),
): string[] {
  return needing.flatMap(({ name: resource, needs = {} }) => {
    const wanted = [
      ...(needs.variables ?? []).map((name) => ({ name, to: VARIABLE, value: variables[name] })),
      ...(needs.secrets ?? []).map((name) => ({ name, to: SECRET, value: secrets[name] })),
    ];
    return wanted.flatMap(({ name, to, value }) => {
      process.env[to + name] = value ?? '';
      return value
        ? []
        : [`${name} is missing, which ${resource} needs: set it in the environment or in the file .env.`];
    });
  });
}
