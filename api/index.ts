/**
 * The language of definitions. A file in `functions` that exports a resource is part of the service.
 *
 * Source: docs/resources.md.
 */

export { Decimal } from '../shared/json/decimal.ts';
export { action } from './actions.ts';
export { itemOf, listOf } from './below.ts';
export type { Definition, FieldsOf } from './definition.ts';
export { every } from './every.ts';
export type { Changes, Values } from './fields/declared.ts';
export {
  anyValue,
  array,
  binary,
  boolean,
  date,
  dateTime,
  decimal,
  email,
  integer,
  money,
  text,
  timestamp,
  url,
} from './fields/kinds.ts';
export { object } from './fields/objects.ts';
export { process } from './fields/process.ts';
export { reference } from './fields/references.ts';
export { files } from './files.ts';
export { refuse } from './refusal.ts';
export { resource } from './resource.ts';
export { today } from './today.ts';
export { type View, view } from './views/view.ts';
