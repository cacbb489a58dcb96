import { fileActions } from '../../shared/files/file-actions.ts';
import { deferrable } from '../../shared/operations/accepting/deferrable.ts';
import { resource } from '../../shared/resource/resource.ts';
import { store } from '../../shared/resource/styles/bytes.ts';
import { recordedAnswers } from '../../shared/store/idempotency/recorded-answers.ts';
import { description } from './fields.ts';

/** Files: a store whose names the client chooses. */
export const files = resource({
  name: 'files',
  title: 'Files',
  about: 'Files under names that the client chooses, stored and served byte for byte.',
  description,
  sortable: ['size'],
  table: {},
  uses: [
    { objects: 'files/', access: 'publish' },
    { objects: 'uploads/', access: 'stage' },
  ],
  idempotency: recordedAnswers,
  deferral: deferrable,
  routes: (files) => store('/files', 'filename', fileActions(files)),
});
