import { relatedName } from '../../shared/resource/description/references.ts';
import { type Relation, titleField } from '../../shared/resource/relation.ts';
import { readItems } from '../../shared/store/items/read-items.ts';
import { findByTitle } from '../../shared/store/lists/related.ts';
import type { Fields } from './declared.ts';

/** Returns the relations that the references give, with the fields that hold them. */
export const referencesIn = (fields: Fields) =>
  Object.entries(fields).flatMap(([field, { relation }]) => {
    const name = relation && (relation.name ?? relatedName(field));
    return relation && name !== undefined ? [{ ...relation, name, field }] : [];
  });

/** Returns the relations of fields by their names: `expand` shows those of items, and people name the items in forms. */
export const relationsOf = (fields: Fields): Readonly<Record<string, Relation>> =>
  Object.fromEntries(
    referencesIn(fields).map(({ name, field, to, kind }) => [
      name,
      { to, field, kind, read: readItems, ...(titleField(to) === undefined ? {} : { find: findByTitle }) },
    ]),
  );
