import type { Fault } from '../../http/problem.ts';
import type { AnnouncedFile, AnnouncedFiles } from '../files/announced-file.ts';
import type { Part } from './multipart.ts';

/**
 * The files of a form: every part with a filename is one. A browser sends an empty file input as a part without
 * filename and bytes, which is ignored. A field whose name begins with a colon belongs to the form itself.
 *
 * Source: HTML "Constructing the entry list" (an empty file input); RFC 7578 §4.2.
 */
export function filesInForm(parts: readonly Part[]): AnnouncedFiles {
  const files: AnnouncedFile[] = [];
  const faults: Fault[] = [];
  for (const { name: parameter, filename, mediaType, bytes } of parts) {
    if (filename === undefined) {
      if (!parameter.startsWith(':'))
        faults.push({ parameter, detail: 'is not a file: send it with a filename' });
    } else if (filename !== '' || bytes.length > 0) {
      const fault: AnnouncedFile['fault'] = (member, detail) => ({
        parameter,
        detail: `${member} of '${filename}' ${detail}`,
      });
      files.push({ name: filename, mediaType, bytes, fault });
    }
  }
  return { files, faults };
}
