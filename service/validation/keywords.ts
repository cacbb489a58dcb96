import { _, type Code, type CodeKeywordDefinition, stringify } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { typeFault } from '../../shared/resource/description/validation/any-rule.ts';
import { decimalFault } from '../../shared/resource/description/validation/decimal-rule.ts';
import { formFault } from '../../shared/resource/kinds/text-forms.ts';
import { PACKAGE } from '../folders.ts';

const ENDING = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';

/** The path of a module of `shared/resource`, as written validators import it. */
const rule = (path: string): string => `${PACKAGE}/shared/resource/${path}.${ENDING}`;

/** Makes a keyword of JSON Schema from a function that returns the fault of a value. Validators call the function. */
const keyword = (
  name: string,
  schemaType: 'object' | 'array' | 'string',
  ref: unknown,
  code: Code,
): CodeKeywordDefinition => ({
  keyword: name,
  schemaType,
  code(cxt) {
    const check = cxt.gen.scopeValue('func', { ref, code });
    const fault = cxt.gen.const('fault', _`${check}(${cxt.data}, ${stringify(cxt.schema)})`);
    cxt.setParams({ fault });
    cxt.fail(_`${fault} !== undefined`);
  },
  error: { message: 'is not valid', params: ({ params }) => _`{message: ${params.fault}}` },
});

/** `{ decimal: DecimalRule }`: an exact decimal. */
const decimal = keyword(
  'decimal',
  'object',
  decimalFault,
  _`require(${rule('description/validation/decimal-rule')}).decimalFault`,
);
/** `{ json: JsonType[] }`: a value of one of these types. */
const json = keyword(
  'json',
  'array',
  typeFault,
  _`require(${rule('description/validation/any-rule')}).typeFault`,
);
/** `{ form: Form }`: a text of this form. */
const form = keyword('form', 'string', formFault, _`require(${rule('kinds/text-forms')}).formFault`);

/** Makes a compiler of JSON Schema with the keywords of this project. */
export const compiler = (options: ConstructorParameters<typeof Ajv2020>[0] = {}): Ajv2020 =>
  new Ajv2020({ allErrors: true, strict: true, ...options })
    .addKeyword(decimal)
    .addKeyword(json)
    .addKeyword(form);
