import type { Description } from '../../shared/resource/description/description.ts';
import type { SchemaValidator } from '../../shared/resource/description/validate.ts';
import { jsonSchema } from './json-schema.ts';
import { compiler } from './keywords.ts';

/** Compiles the validator of a description. The bundler checks the schema: this takes a tenth of the time of a start. */
export const compileValidator = (description: Description): SchemaValidator =>
  compiler({ meta: false, validateSchema: false }).compile(jsonSchema(description, 'validator'));

/**
 * Returns the validator of a description, which compiles at its first use. Definitions import it as `#validators`. The
 * bundler replaces this module by one with compiled validators.
 *
 * @param _name the name of the resource, which the bundler's module needs
 */
export function validatorOf(_name: string, description: Description): SchemaValidator {
  let compiled: SchemaValidator | undefined;
  const validate: SchemaValidator = (values) => {
    compiled ??= compileValidator(description);
    const isValid = compiled(values);
    validate.errors = compiled.errors;
    return isValid;
  };
  return validate;
}
