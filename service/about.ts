import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, SERVICE } from './folders.ts';

interface Described {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

const OWN: Described = { name: 'resource-api', title: 'A resource-oriented HTTP API', version: '0.1.0' };

/** A service states these facts in its package.json. */
function described(): Described {
  const read: Readonly<Record<string, string | undefined>> = JSON.parse(
    readFileSync(join(SERVICE, 'package.json'), 'utf8'),
  );
  const { name = 'service', description, version = '0.0.0' } = read;
  return { name, title: description || name, version };
}

/** Source files import these facts as `#about`. The bundler replaces this module by the values. */
const about = isInstalled ? described() : OWN;

/** The name of the service: in its API description, and as the `Source` of its events on the bus. */
export const NAME: string = about.name;
/** What the service is, for people: the title of the home document. */
export const TITLE: string = about.title;
/** The version in the API description. */
export const VERSION: string = about.version;
