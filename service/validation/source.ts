import standalone from 'ajv/dist/standalone/index.js';
import type { Description } from '../../shared/resource/description/description.ts';
import { jsonSchema } from './json-schema.ts';
import { compiler } from './keywords.ts';

/**
 * Returns the source of a module that exports the validators of these descriptions, by the names of their resources:
 * ajv's standalone code. A function therefore loads no schema library. Source: ajv.js.org/standalone.html.
 */
export function validatorsSource(descriptions: Readonly<Record<string, Description>>): string {
  const ajv = compiler({ code: { source: true, esm: true, optimize: 1 } });
  const names = Object.keys(descriptions);
  for (const [name, description] of Object.entries(descriptions))
    ajv.addSchema({ ...jsonSchema(description, 'validator'), $id: name });
  const exported = Object.fromEntries(names.map((name, at) => [`validate${at}of`, name]));
  const source = standalone
    .default(ajv, exported)
    // Standalone code contains require() even as an ES module.
    .replace(/const (\w+) = require\("([^"]+)"\)\.(\w+);/g, (_all, name, module, member) =>
      member === 'default'
        ? `import ${name}Module from '${module}.js'; const ${name} = ${name}Module.default;`
        : `import { ${member} as ${name} } from '${module}';`,
    )
    .replace(/^"use strict";/, '');
  const byName = names.map((name, at) => `${JSON.stringify(name)}: validate${at}of`);
  return `${source}
const VALIDATORS = { ${byName.join(', ')} };
export const validatorOf = (name) => VALIDATORS[name];`;
}
