import { createHash } from 'node:crypto';
import { malformedPrecondition } from '../../http/conditional/conditions.ts';
import { MAXIMUM_BODY } from '../../http/maximum-sizes.ts';
import { type Problem, problem } from '../../http/problem.ts';
import { formatPointer } from '../../json/pointer.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Parts, ReadContent, Sending, SentListName } from '../representation.ts';
import { readFormFiles } from './form-files.ts';
import { type FormParts, readFormFields } from './form-reader.ts';
import { formValues } from './form-values.ts';
import {
  COPIES_INPUT,
  FORMATS_OF_ITEMS,
  type FormFields,
  ITEMS_INPUT,
  isBookkeeping,
  KEY_INPUT,
  TAKE_INPUT,
  VERSION_INPUT,
} from './inputs.ts';
import type { FormPart } from './multipart.ts';

/**
 * True if a form begins as a JSON object or array does. A browser encodes these characters. curl sends `-d` as a form,
 * unless a header field names another type.
 *
 * Source: URL Standard §5.2 (application/x-www-form-urlencoded serializing).
 */
const isJson = (bytes: Uint8Array): boolean =>
  /^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 100)).toString());

/**
 * Reads a form: its inputs are the values of a new item, or the properties to change. Hidden inputs act as header
 * fields. A file of items is content in another format.
 *
 * Source: Specification 6.1, 6.2, 9.1.
 */
export async function readForm(
  bytes: Uint8Array,
  description: Description,
  list: SentListName | undefined,
  { contentType, isIgnored }: Sending,
): Promise<ReadContent> {
  if (isIgnored && Buffer.from(bytes).toString().trim() === '{}') return { value: {} };
  if (isJson(bytes)) {
    return {
      problem: problem(
        'malformed-body',
        'The service read this JSON as a form, because Content-Type names a form. Send Content-Type: application/json',
      ),
    };
  }
  const form = await readFormFields(bytes, contentType);
  if ('fault' in form) {
    const errors = [form.fault];
    return {
      problem: problem('malformed-body', 'The form cannot be read. Send it as a browser does', { errors }),
    };
  }
  if (form.size > MAXIMUM_BODY) {
    const detail = `A form has at most ${MAXIMUM_BODY} bytes without its files. Send less in one request`;
    return { problem: problem('payload-too-large', detail, { members: { maximum: MAXIMUM_BODY } }) };
  }
  const fields = sentFields(form);
  if (malformedPrecondition({ ifMatch: fields.get(VERSION_INPUT)?.[0] })) {
    const errors = [{ pointer: `/${VERSION_INPUT}`, detail: 'must be an entity tag in double quotes' }];
    const detail = 'The version in the form is not an entity tag. Open the form again';
    return { problem: problem('validation-error', detail, { errors }) };
  }
  if (isIgnored) {
    const names = [...fields.keys(), ...form.files.map(({ name }) => name)];
    const inputs = names.filter((name) => !isBookkeeping(name)).map((name) => [name, '']);
    return { value: Object.fromEntries(inputs), parts: partsOf(fields) };
  }
  const items = list && form.files.find(({ name }) => name === ITEMS_INPUT);
  if (items) return itemsIn(items, form.files, fields);
  const { values, removed, faults } = formValues(fields, description);
  const read = await readFormFiles(description, form.files, fields);
  if (read.kind === 'refused') return read;
  const { files } = read;
  const parts = partsOf(
    fields,
    files.flatMap(({ name, sent }) => (sent ? [{ name, ...sent }] : [])),
  );
  return {
    value: values,
    parts: {
      ...parts,
      files,
      // An empty input beside a file is the box that removes the present bytes.
      removed: removed.filter((name) => !files.some((file) => file.name === name)),
      faults: [...faults, ...read.faults],
    },
  };
}

/** The inputs without those for which the person chose the stored value. A change keeps properties without an input. */
export function sentFields({ fields }: Pick<FormParts, 'fields'>): FormFields {
  const taken = new Set(fields.get(TAKE_INPUT));
  if (taken.size === 0) return fields;
  return new Map([...fields].filter(([name]) => isBookkeeping(name) || !taken.has(name)));
}

/** The parts of a form without its values. `files`: those that identify a repeat of the form. */
export function partsOf(
  fields: FormFields,
  files: readonly { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array }[] = [],
): Parts {
  const [version] = fields.get(VERSION_INPUT) ?? [];
  const [key] = fields.get(KEY_INPUT) ?? [];
  return {
    headers: {
      ...(version === undefined ? {} : { 'if-match': version }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    identity: [
      JSON.stringify([...fields]),
      ...files.flatMap(({ name, mediaType, bytes }) => [name, mediaType, bytes]),
    ],
    removed: [],
    files: [],
    faults: [],
  };
}

/**
 * A file of items, as the content of the request. The ending of its name decides the format, because browsers take the
 * media type of a file from the registry of the computer.
 *
 * Source: Specification 9.1.
 */
function itemsIn(items: FormPart, files: readonly FormPart[], fields: FormFields): ReadContent {
  const inputs = [...fields.keys()].filter((name) => !isBookkeeping(name));
  const others = [...files.filter((one) => one !== items).map(({ name }) => name), ...inputs];
  if (others.length > 0) return { problem: refusedBeside(others) };
  const { filename = '', mediaType, bytes } = items;
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const parts = partsOf(new Map([...fields, [ITEMS_INPUT, [digest]]]));
  return {
    value: {},
    parts: {
      ...parts,
      whole: {
        mediaType: FORMATS_OF_ITEMS.get(ending) ?? mediaType,
        bytes,
        makesCopies: fields.has(COPIES_INPUT),
      },
    },
  };
}

const refusedBeside = (others: readonly string[]): Problem<'validation-error'> =>
  problem('validation-error', 'A form has one file of items and no other inputs. Send them one by one', {
    errors: others.map((name) => ({
      pointer: formatPointer([name]),
      detail: 'must not be in a form with a file of items',
    })),
  });
