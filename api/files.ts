import { fileDescription } from '../shared/files/description.ts';
import { fileActions } from '../shared/files/file-actions.ts';
import { deferrable } from '../shared/operations/accepting/deferrable.ts';
import { resource } from '../shared/resource/resource.ts';
import { store } from '../shared/resource/styles/bytes.ts';
import { recordedAnswers } from '../shared/store/idempotency/recorded-answers.ts';
import type { Definition } from './definition.ts';

/**
 * Defines the store of files: bytes under names that the client chooses. The service has one at most, and its name is
 * `files`.
 *
 * Source: Specification 5.1 to 5.4.
 */
export function files({ about }: { readonly about: string }): Definition<'files'> {
  const made = resource({
    name: 'files',
    title: 'Files',
    about,
    description: fileDescription,
    sortable: ['size'],
    table: {},
    uses: [
      { objects: 'files/', access: 'publish' },
      { objects: 'uploads/', access: 'stage' },
    ],
    idempotency: recordedAnswers,
    deferral: deferrable,
    routes: (one) => store('/files', 'filename', fileActions(one)),
  });
  return Object.assign(made, { name: 'files' as const, description: fileDescription });
}
