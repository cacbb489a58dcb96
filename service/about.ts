import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capitalize } from '../shared/resource/description/fields.ts';
import { isInstalled, PACKAGE, SERVICE } from './folders.ts';

interface Described {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly files: boolean;
  readonly pages: boolean;
  readonly subscriptions: boolean;
  readonly agents: boolean;
  readonly brand: Brand;
}

/** How pages show the service: its short name, its color in CSS, and the file of its logo, an SVG image in its folder. */
interface Brand {
  readonly name: string;
  readonly color?: string;
  readonly logo?: string;
}

/** The members of package.json with facts of the service. `resource-api`: the parts that it has. */
interface Stated {
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly 'resource-api'?: {
    readonly files?: boolean;
    readonly pages?: boolean;
    readonly subscriptions?: boolean;
    readonly agents?: boolean;
    readonly brand?: Partial<Brand>;
  };
}

const OWN: Described = {
  name: 'resource-api',
  title: 'A resource-oriented HTTP API',
  version: '0.2.0',
  files: true,
  pages: true,
  subscriptions: true,
  agents: true,
  brand: { name: 'Resource API' },
};

/** Reads the facts that a service states in its package.json. */
function described(): Described {
  const read: Stated = JSON.parse(readFileSync(join(SERVICE, 'package.json'), 'utf8'));
  const { name = 'service', description, version = '0.0.0', 'resource-api': parts = {} } = read;
  const { files = true, pages = true, subscriptions = false, agents = false, brand = {} } = parts;
  const title = description || name;
  return {
    name,
    title,
    version,
    files,
    pages,
    subscriptions,
    agents,
    brand: { name: capitalize(title), ...brand },
  };
}

/** Source files import these facts as `#about`. The bundler replaces this module by the values. */
const about = isInstalled ? described() : OWN;

/** The name of the service: in its API description, and as the `Source` of its events on the bus. */
export const NAME: string = about.name;
/** What the service is, for people: the title of the home document. */
export const TITLE: string = about.title;
/** The version in the API description. */
export const VERSION: string = about.version;
/** False if the service stores no files: `"resource-api": { "files": false }` in its package.json. */
export const HAS_FILES: boolean = about.files;
/** False if the service has no pages and no forms for people: `"pages": false` in the same place. */
export const HAS_PAGES: boolean = about.pages;
/** True if clients can subscribe to events: `"subscriptions": true` in the same place. */
export const HAS_SUBSCRIPTIONS: boolean = about.subscriptions;
/** True if agents can call the service by the Model Context Protocol: `"agents": true` in the same place. */
export const HAS_AGENTS: boolean = about.agents;
/** Name, color and logo of pages: `"brand": { "name": "Shop", "color": "#0a6b4f", "logo": "logo.svg" }` in the same place. */
export const BRAND: Brand = about.brand;
/** The digest of the script of pages, the only one that they run, as a policy and an attribute name it. */
export const SCRIPT_DIGEST: string = `sha256-${createHash('sha256')
  .update(readFileSync(join(PACKAGE, 'functions/site/assets/pages.js')))
  .digest('base64')}`;
