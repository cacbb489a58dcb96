import { secretText } from './clients/secrets-manager.ts';
import { currentTime } from './clock.ts';
import { config } from './config.ts';

/** For so long a function keeps a secret, in ms. After it, it notices a new value. */
const KEPT_MS = 300_000;

/** Reads what `needs` names, whatever the names are. */
export interface Settings {
  variable(name: string): string;
  secret(name: string): Promise<string>;
}

/** The names that a definition states. */
interface Named {
  readonly variables?: readonly string[];
  readonly secrets?: readonly string[];
}

const kept = new Map<string, { readonly until: number; readonly text: Promise<string | undefined> }>();

/**
 * Returns what reads the variables and the secrets of `needs`. Both throw an error with the name of what is missing.
 *
 * Source: docs/decisions/0101-what-code-needs.md.
 */
export const settingsOf = ({ variables = [], secrets = [] }: Named): Settings => ({
  variable: (name) => {
    refuseUnstated('variables', variables, name);
    return present('variable', name, config.variable(name));
  },
  secret: async (name) => {
    refuseUnstated('secrets', secrets, name);
    const service = config.service();
    // Outside of AWS, the environment has the secrets.
    const text = service === undefined ? config.secret(name) : await read(`${service}/${name}`);
    return present('secret', name, text);
  },
});

function refuseUnstated(fact: string, names: readonly string[], name: string): void {
  if (!names.includes(name)) throw new Error(`The code reads ${name}: add it to needs.${fact}`);
}

function present(what: string, name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new Error(`The ${what} ${name} is missing: docs/resources.md, "What code needs", says how to set it`);
}

/** Reads a secret of Secrets Manager, unless a value is fresh. A failure is not kept, and neither is a missing value. */
async function read(id: string): Promise<string | undefined> {
  const now = currentTime();
  let known = kept.get(id);
  if (known === undefined || known.until <= now) {
    known = { until: now + KEPT_MS, text: secretText(id) };
    kept.set(id, known);
  }
  const found = await known.text.catch((error) => {
    kept.delete(id);
    throw error;
  });
  if (found === undefined) kept.delete(id);
  return found;
}
