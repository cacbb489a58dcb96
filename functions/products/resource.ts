import { storedBinaries } from '../../shared/files/binaries/storage.ts';
import { deferrable } from '../../shared/operations/accepting/deferrable.ts';
import { collectionActions, collectionChecks } from '../../shared/operations/collection-actions.ts';
import { resource } from '../../shared/resource/resource.ts';
import { binaries } from '../../shared/resource/styles/bytes.ts';
import { collection, forms } from '../../shared/resource/styles/collection.ts';
import { relatedList } from '../../shared/resource/styles/nested.ts';
import { binaryActions } from '../../shared/store/binaries/actions.ts';
import { recordedAnswers } from '../../shared/store/idempotency/recorded-answers.ts';
import { productOfOrder } from './actions.ts';
import { productFacts } from './fields.ts';
import { validate } from './validate.generated.ts';

/** Products, their images, and the products of an order. */
export const products = resource({
  ...productFacts,
  title: 'Products',
  about: 'Products that customers order. Each product can have an image.',
  validate,
  sortable: ['name', 'price', 'category'],
  table: {},
  uses: [{ table: 'orders', access: 'read' }],
  idempotency: recordedAnswers,
  deferral: deferrable,
  binaries: storedBinaries,
  routes: (products) => {
    const actions = collectionActions(products);
    const checks = collectionChecks(products);
    return [
      ...collection('/products', actions, { checks }),
      ...binaries('/products/{id}', productFacts.description, binaryActions(products)),
      ...forms('/products', actions, { checks }),
      ...relatedList('/orders/{id}/products', productOfOrder(products)),
    ];
  },
});
