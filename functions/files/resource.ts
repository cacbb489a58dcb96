import { fileActions } from '../../shared/files/file-actions.ts';
import { deferrable } from '../../shared/operations/accepting/deferrable.ts';
import { resource } from '../../shared/resource/resource.ts';
import { store } from '../../shared/resource/styles.ts';
import { description } from './fields.ts';
import { nameFault } from './name.ts';

/** Files: a store whose names the client chooses. */
export const files = resource({
  name: 'files',
  title: 'Files',
  about: 'Files under names that the client chooses, stored and served byte for byte.',
  description,
  routes: store('/files', 'filename'),
  sortable: ['size'],
  table: {},
  uses: [
    { objects: 'files/', access: 'publish' },
    { objects: 'uploads/', access: 'stage' },
  ],
  nameFault,
  actions: (files) => ({ ...fileActions(files), ...deferrable }),
});
