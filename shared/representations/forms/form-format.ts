import type { Reader } from '../representation.ts';
import { FORM_TYPES } from './form.ts';

/** Forms of browsers, as a format of items in requests. The first form loads its reader. */
export const form: Reader = {
  mediaTypes: FORM_TYPES,
  limitsParts: true,
  read: (bytes, description, list, sending) =>
    import('#forms').then(({ readForm }) => readForm(bytes, description, list, sending)),
};
