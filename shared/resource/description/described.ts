import type { Resource } from '../resource.ts';
import type { Description } from './description.ts';
import type { SchemaValidator } from './validation/validate.ts';

/** The description of the items of a resource. @throws Error if the resource describes none */
export function descriptionOf({ name, description }: Pick<Resource, 'name' | 'description'>): Description {
  if (!description) throw new Error(`The resource ${name} describes no items`);
  return description;
}

/** The schema validator of the items of a resource. @throws Error if the resource has none */
export function schemaValidatorOf({ name, validate }: Resource): SchemaValidator {
  if (!validate) throw new Error(`The resource ${name} has no validator`);
  return validate;
}
