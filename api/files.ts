import { fileDescription } from '../shared/files/description.ts';
import { fileActions } from '../shared/files/file-actions.ts';
import { type Resource, resource } from '../shared/resource/resource.ts';
import { FILE_VERSION_PARAMETERS, fileHistory } from '../shared/resource/styles/file-history.ts';
import { store } from '../shared/resource/styles/store-and-binaries.ts';
import { tryingOut } from '../shared/store/actions/trying-out.ts';
import { recordedAnswers } from '../shared/store/idempotency/answers.ts';
import type { Definition } from './definition.ts';
import { deferral } from './on-demand.ts';

/** `history`: the bucket keeps an earlier version of a file for so many days after its end. */
interface FileFacts {
  readonly about: string;
  readonly history?: { readonly days: number };
}

/**
 * Defines the store of files: bytes under names that the client chooses. The service has one at most, and its name is
 * `files`.
 *
 * Source: Specification 5.1 to 5.4, 16.11.
 */
export function files({ about, history }: FileFacts): Definition<'files'> {
  const parameters = history ? FILE_VERSION_PARAMETERS : {};
  const made: Resource = resource({
    name: 'files',
    title: 'Files',
    about,
    description: fileDescription,
    sortable: ['size'],
    table: {},
    uses: [
      { objects: 'files/', access: 'publish', ...(history ? { history } : {}) },
      { objects: 'uploads/', access: 'stage' },
    ],
    idempotency: recordedAnswers,
    deferral,
    dryRun: tryingOut(() => [made]),
    parameters,
    routes: (one) => {
      const { versions, ...actions } = fileActions(one, history !== undefined);
      const routes = store('/files', 'filename', actions);
      return history ? [...routes, ...fileHistory('/files/{filename}', actions.read, versions)] : routes;
    },
  });
  return Object.assign(made, { name: 'files' as const, description: fileDescription });
}
