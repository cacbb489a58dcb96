import { _, type CodeKeywordDefinition, Name, stringify } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PACKAGE } from '../folders.ts';
import { decimalFault, formFault, typeFault } from './rules.ts';

/** The module with the rules, as written validators import it. */
const RULES = `${PACKAGE}/service/validation/rules.${import.meta.filename.endsWith('.ts') ? 'ts' : 'js'}`;

/** Makes a keyword of JSON Schema from a function that returns the fault of a value. Validators call the function. */
const keyword = (
  name: string,
  schemaType: 'object' | 'array' | 'string',
  rule: typeof decimalFault | typeof typeFault | typeof formFault,
): CodeKeywordDefinition => ({
  keyword: name,
  schemaType,
  code(cxt) {
    const code = _`require(${RULES}).${new Name(rule.name)}`;
    const check = cxt.gen.scopeValue('func', { ref: rule, code });
    const fault = cxt.gen.const('fault', _`${check}(${cxt.data}, ${stringify(cxt.schema)})`);
    cxt.setParams({ fault });
    cxt.fail(_`${fault} !== undefined`);
  },
  error: { message: 'is not valid', params: ({ params }) => _`{message: ${params.fault}}` },
});

/** Makes a compiler of JSON Schema with the keywords of this project. */
export const compiler = (options: ConstructorParameters<typeof Ajv2020>[0] = {}): Ajv2020 =>
  new Ajv2020({ allErrors: true, strict: true, ...options })
    // `{ decimal: DecimalRule }`: an exact decimal.
    .addKeyword(keyword('decimal', 'object', decimalFault))
    // `{ json: JsonType[] }`: a value of one of these types.
    .addKeyword(keyword('json', 'array', typeFault))
    // `{ form: Form }`: a text of this form.
    .addKeyword(keyword('form', 'string', formFault));
