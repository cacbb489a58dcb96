import { regularSingular } from '../../api/definition.ts';
import { commandLine } from '../../service/folders.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';

/** The names of a new resource: `invoices`, and `invoice` for one item. */
export interface Names {
  readonly plural: string;
  readonly singular: string;
}

/**
 * The current names of the service. `files`: the names of the definitions. `paths`: the first segments of its paths.
 * `schemas`: names in the API description.
 */
export interface Taken {
  readonly files: readonly string[];
  readonly paths: readonly string[];
  readonly schemas: readonly string[];
}

/** The name is the name of a constant, a path, a table and an environment variable. */
const NAME = /^[a-z][a-z0-9]{1,19}$/;

/** Words that cannot name a constant in a module, and the names that the written module imports. */
const RESERVED =
  'await break case catch class const continue debugger default delete do else enum eval export extends false finally ' +
  'for function if implements import in instanceof interface let new null package private protected public return ' +
  'static super switch this throw true try typeof undefined var void while with yield arguments ' +
  'resource text';

/** Names of tables, folders and scopes of the service itself. */
const OWN = 'all audit binaries deliveries idempotency images schemas uploads versions'.split(' ');

/** Returns the names of a new resource, or the sentence that says what is wrong with them and what to do. */
export function namesOf(plural: string, given: string | undefined, taken: Taken): Names | string {
  if (!NAME.test(plural))
    return `'${plural}' cannot be the name of a resource. Use a plural of 2 to 20 lower-case letters and digits, such as 'invoices'.`;
  if (RESERVED.split(' ').includes(plural) || OWN.includes(plural))
    return `The name '${plural}' is reserved. Choose another name.`;
  if (taken.files.includes(plural)) return `functions/${plural}.ts exists. Choose another name.`;
  if (taken.paths.includes(plural))
    return `The service has the path /${plural} already. Choose another name.`;
  const singular = given ?? regularSingular(plural);
  if (singular === undefined)
    return `The singular of '${plural}' is not clear. Give it: ${commandLine('new', `${plural} --singular WORD`)}`;
  if (!NAME.test(singular) || singular === plural)
    return `'${singular}' cannot be the singular of '${plural}'. Use another word of lower-case letters and digits.`;
  if ([singular, plural].some((name) => taken.schemas.includes(capitalize(name))))
    return `The API description has a schema '${capitalize(singular)}' or '${capitalize(plural)}' already. Choose another name.`;
  return { plural, singular };
}

/** Returns the text of the file of a new resource. */
export function definitionOf({ plural, singular }: Names): string {
  const word = singular === regularSingular(plural) ? '' : `  singular: '${singular}',\n`;
  return `import { resource, text } from 'resource-api';

export const ${plural} = resource('${plural}', {
  about: 'Say here what ${plural} are.',
${word}  fields: {
    name: text({ required: true, sortable: true }),
  },
});
`;
}

/** Returns the text of a test of a new resource. */
export function testOf({ plural, singular }: Names): string {
  const definition = `'../functions/${plural}.ts'`;
  return `import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { client } from 'resource-api/client';
import { startService } from 'resource-api/testing';

const service = await startService();
after(() => service.stop());
const api = client<typeof import(${definition})>(service.url);

test('the service returns the ${singular} that a client created', async () => {
  const { id } = await api.${plural}.create({ name: 'a' });
  assert.equal((await api.${plural}.get(id)).name, 'a');
});
`;
}
