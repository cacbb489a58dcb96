import type { Description } from '../resource/description/description.ts';
import type { Validator } from '../resource/description/validation/validate.ts';
import type { Resource } from '../resource/resource.ts';

/** The description of the items. @throws Error when a route has items and the resource describes none */
export function descriptionOf({ name, description }: Resource): Description {
  if (!description) throw new Error(`The resource ${name} describes no items`);
  return description;
}

/** The validator of the items. @throws Error when a route takes items and the resource has no validator */
export function validatorOf({ name, validate }: Resource): Validator {
  if (!validate) throw new Error(`The resource ${name} has no validator`);
  return validate;
}
