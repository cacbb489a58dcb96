import type { ShownBinary } from '../../shared/resource/binary.ts';
import type { Field, IntegerField } from '../../shared/resource/description/description.ts';
import { sentence } from '../markup.ts';

/** How an input looks, and what it offers. */
export interface InputLooks {
  readonly type: 'text' | 'email' | 'url' | 'date' | 'datetime-local' | 'lines' | 'file';
  /** The media types that a file input offers. */
  readonly accept?: string;
  /** The bytes that a file input replaces. */
  readonly bytes?: ShownBinary;
  readonly mode?: 'numeric' | 'decimal';
  readonly choices?: readonly string[];
  /** The values that boxes offer in groups, each with its title: all ticked ones are the value, each as a line. */
  readonly groups?: readonly (readonly [title: string, values: readonly string[]])[];
  readonly hint?: string;
}

/** Returns a file input. A browser cannot fill it in again after a refusal. */
export const fileLooks = (field: Field | undefined, bytes: ShownBinary | undefined): InputLooks => ({
  type: 'file',
  ...(field?.kind === 'binary' ? { accept: field.accepts } : {}),
  ...(bytes ? { bytes } : {}),
  hint: bytes ? 'At most 4 MiB. Leave it out to keep the present file.' : 'At most 4 MiB',
});

/**
 * Numbers have text inputs, because browsers lose digits with `type=number`. `stored`: the value of the item, which
 * stays a choice after the definition has lost it.
 */
export function looks(field: Field | undefined, stored: string): InputLooks {
  const { choices, ...own } = looksOfKind(field);
  const isLost = choices !== undefined && stored !== '' && !choices.includes(stored);
  const help = own.hint === undefined ? field?.help : field?.help && sentence(field.help);
  const hint = [help, own.hint].filter((one) => one !== undefined).join(' ');
  return {
    ...own,
    ...(choices === undefined ? {} : { choices: isLost ? [...choices, stored] : choices }),
    ...(hint === '' ? {} : { hint }),
  };
}

function looksOfKind(field: Field | undefined): InputLooks {
  switch (field?.kind) {
    case 'integer':
      if (field.isId) return { type: 'text', mode: 'numeric' };
      return { type: 'text', mode: 'numeric', hint: `A whole number ${range(field)}` };
    case 'decimal':
      return {
        type: 'text',
        mode: 'decimal',
        hint: `${field.currency === undefined ? 'A number' : `An amount in ${field.currency}`} from ${field.minimum}, such as 14.50`,
      };
    case 'text':
      return { type: field.format ?? 'text', choices: field.choices };
    case 'boolean':
      return { type: 'text', choices: ['yes', 'no'] };
    case 'date':
      return { type: 'date' };
    case 'array':
      return { type: 'lines', hint: 'One value on each line' };
    case 'structure':
      return {
        type: 'lines',
        hint: `One on each line: ${Object.keys(field.fields).join(', ')}, such as ${Object.keys(field.fields)[0]}: …`,
      };
    case 'dateTime':
      return { type: 'datetime-local', hint: 'In UTC' };
    default:
      return { type: 'text' };
  }
}

const range = ({ minimum, maximum }: IntegerField): string =>
  maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
