import type { AnnouncedFile, AnnouncedFiles } from '../files/announced-file.ts';
import type { Part } from './multipart.ts';

/**
 * The files of a form: every part with a filename is one. The service ignores other parts. A browser sends an empty
 * file input as a part without bytes and with an empty filename, which is ignored too.
 *
 * Source: HTML "Constructing the entry list" (an empty file input); RFC 7578 §4.2; Specification 5.16.
 */
export function filesInForm(parts: readonly Part[]): AnnouncedFiles {
  const files: AnnouncedFile[] = [];
  for (const { name: parameter, filename, mediaType, bytes } of parts) {
    if (filename === undefined || (filename === '' && bytes.length === 0)) continue;
    const fault: AnnouncedFile['fault'] = (member, detail) => ({
      parameter,
      detail: `${member} of '${filename}' ${detail}`,
    });
    files.push({ name: filename, mediaType, bytes, isText: false, fault });
  }
  return { files, faults: [] };
}
