import type { Fault } from '../http/problem.ts';
import type { AnnouncedFile, AnnouncedFiles } from './announced-file.ts';
import type { Part } from './multipart.ts';

/**
 * The files of a form: each part with a filename is one. A file input that was left empty comes as a part without name
 * and bytes and is none; fields whose name begins with a colon are the form's own.
 *
 * Source: HTML "Constructing the entry list" (an empty file input); RFC 7578 §4.2.
 */
export function filesInForm(parts: readonly Part[]): AnnouncedFiles {
  const files: AnnouncedFile[] = [];
  const faults: Fault[] = [];
  for (const { name: parameter, filename, mediaType, bytes } of parts) {
    if (filename === undefined) {
      if (!parameter.startsWith(':')) faults.push({ parameter, detail: 'is no file: it has no filename' });
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
