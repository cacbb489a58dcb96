import { storedBinaries } from '../../shared/files/binaries/storage.ts';
import { deferrable } from '../../shared/operations/accepting/deferrable.ts';
import { collectionActions } from '../../shared/operations/collection-actions.ts';
import { resource } from '../../shared/resource/resource.ts';
import { binaries } from '../../shared/resource/styles/bytes.ts';
import { change, collection, forms } from '../../shared/resource/styles/collection.ts';
import { binaryActions } from '../../shared/store/binaries/actions.ts';
import { recordedAnswers } from '../../shared/store/idempotency/recorded-answers.ts';
import { description } from './fields.ts';
import { validate } from './validate.generated.ts';

/** Members: one collection with an API and HTML forms. Both use the same actions. */
export const members = resource({
  name: 'members',
  title: 'Members',
  about: 'Registered people. Clients may add properties of their own.',
  description,
  validate,
  revision: 2,
  sortable: ['username', 'name', 'age'],
  table: {},
  idempotency: recordedAnswers,
  deferral: deferrable,
  binaries: storedBinaries,
  routes: (members) => {
    const actions = collectionActions(members);
    return [
      ...collection('/members', actions),
      ...change('/members', actions),
      ...binaries('/members/{id}', description, binaryActions(members)),
      ...forms('/members', actions),
    ];
  },
});
