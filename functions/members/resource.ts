import { collectionActions } from '../../shared/operations/collection-actions.ts';
import { resource } from '../../shared/resource/resource.ts';
import { change, collection, forms } from '../../shared/resource/styles.ts';
import { description } from './fields.ts';
import { validate } from './validate.generated.ts';

/** Members: one collection with an API and HTML forms. Both use the same actions. */
export const members = resource({
  name: 'members',
  title: 'Members',
  about: 'People who registered. Any property beyond the known ones is kept as it was sent.',
  description,
  validate,
  routes: [...collection('/members'), ...change('/members'), ...forms('/members')],
  sortable: ['username', 'name', 'age'],
  table: {},
  actions: collectionActions,
});
