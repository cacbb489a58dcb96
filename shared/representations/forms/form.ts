import { lazily } from '../../on-demand.ts';
import type { Reader } from '../representation.ts';
import { FORM_TYPES } from './inputs.ts';

/** Forms of browsers, as a format of items in requests. The first form loads its reader. */
export const form: Reader = {
  mediaTypes: FORM_TYPES,
  limitsParts: true,
  read: lazily(() => import('./form-document.ts'), ['readForm']).readForm,
};
