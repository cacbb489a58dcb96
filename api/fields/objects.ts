import type { Field } from '../../shared/resource/description/description.ts';
import { object as objectField } from '../../shared/resource/description/fields.ts';
import {
  type Declared,
  declare,
  type FieldFacts,
  type Fields,
  ofDescription,
  type StoredForms,
  type Values,
} from './declared.ts';

/** The fields of an object, also of the body of an action. */
export interface DeclaredObject<F, Given extends boolean = boolean, Server extends boolean = boolean>
  extends Declared<Values<F>, Given, Server> {
  readonly fields: F;
  /** The parts of a description, and the fields as an author states them. */
  readonly parts: () => { readonly sent: ReturnType<typeof partsOf>; readonly declared: Fields };
}

/** Returns the fields of the description, and the names of those that a request must have. */
export const partsOf = (
  fields: Fields,
): { readonly fields: Readonly<Record<string, Field>>; readonly required: readonly string[] } => ({
  fields: Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.field(name)])),
  required: Object.keys(fields).filter((name) => fields[name]?.required),
});

/** Returns an object with these fields. As the `body` of an action, it is what a request sends. */
export const object = <
  F extends Fields,
  const Given extends boolean = false,
  const Server extends boolean = false,
>(
  fields: F,
  facts: FieldFacts<Given, Server> & StoredForms = {},
): DeclaredObject<F, Given, Server> => {
  const parts = partsOf(fields);
  const make = (label: string) =>
    objectField(label, parts.fields, { ...ofDescription(facts), required: parts.required });
  return {
    ...declare<Values<F>, Given, Server>(facts, make),
    fields,
    parts: () => ({ sent: parts, declared: fields }),
  };
};
