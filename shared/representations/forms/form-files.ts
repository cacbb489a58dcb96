import { isInRange } from '../../http/fields/media-type.ts';
import { MAXIMUM_BYTES } from '../../http/maximum-sizes.ts';
import { type Fault, type Problem, problem } from '../../http/problem.ts';
import { formatPointer } from '../../json/pointer.ts';
import { binaryField, MAXIMUM_BINARIES } from '../../resource/binary.ts';
import { type Description, isOpenName, isServerField } from '../../resource/description/description.ts';
import type { SentBinary } from '../../resource/sent.ts';
import { mediaTypeFor } from '../files/media-type.ts';
import { type FormFields, KEY_INPUT } from './inputs.ts';
import type { FormPart } from './multipart.ts';

/** The files of a form, as binary properties. */
interface FormFiles {
  readonly kind: 'files';
  readonly files: readonly SentBinary[];
  readonly faults: readonly Fault[];
}

interface RefusedFiles {
  readonly kind: 'refused';
  readonly problem: Problem<'payload-too-large' | 'unsupported-media-type'>;
}

/**
 * The files of an item's form as binary properties under the names of their inputs. A closed resource ignores those
 * that it does not declare. `submitted`: the other inputs.
 *
 * Source: Specification 2.22, 2.27.
 */
export async function readFormFiles(
  description: Description,
  files: readonly FormPart[],
  submitted: FormFields,
): Promise<FormFiles | RefusedFiles> {
  const binaries = new Map<string, SentBinary>();
  const faults: Fault[] = [];
  const wrongTypes: Fault[] = [];
  const large: Fault[] = [];
  for (const { name, filename, bytes, ...part } of files) {
    const field = binaryField(description, name);
    if (isServerField(description, name) || (!field && !description.open)) continue;
    const isOfPage = submitted.has(KEY_INPUT);
    const mediaType = await mediaTypeFor(part.mediaType, { name: filename, bytes, isOfPage });
    const pointer = formatPointer([name]);
    const isRepeated = binaries.has(name) || submitted.get(name)?.some((text) => text !== '');
    if (!field && !isOpenName(description, name)) faults.push({ pointer, detail: 'takes no file' });
    else if (isRepeated) faults.push({ pointer, detail: 'must be given once' });
    else if (field && !isInRange(mediaType, field.accepts))
      wrongTypes.push({ pointer, detail: `must be a file of the media type ${field.accepts}` });
    else if (bytes.length > MAXIMUM_BYTES) large.push({ pointer, detail: `has ${bytes.length} bytes` });
    binaries.set(name, { name, sent: { bytes, mediaType } });
  }
  if (binaries.size > MAXIMUM_BINARIES)
    faults.push({ pointer: '', detail: `has more than ${MAXIMUM_BINARIES} files` });
  if (wrongTypes.length > 0) {
    const detail = 'A file has the wrong media type. Choose another file';
    return { kind: 'refused', problem: problem('unsupported-media-type', detail, { errors: wrongTypes }) };
  }
  if (large.length > 0) {
    const detail = `At most ${MAXIMUM_BYTES} bytes can be sent in one request. Send less`;
    const members = { maximum: MAXIMUM_BYTES };
    return { kind: 'refused', problem: problem('payload-too-large', detail, { errors: large, members }) };
  }
  return { kind: 'files', files: [...binaries.values()], faults };
}
