import { storedBinaries } from '../../shared/files/binaries/storage.ts';
import { deferrable } from '../../shared/operations/accepting/deferrable.ts';
import { collectionActions } from '../../shared/operations/collection-actions.ts';
import { binaryHref } from '../../shared/resource/binary.ts';
import { resource } from '../../shared/resource/resource.ts';
import { binaries } from '../../shared/resource/styles/bytes.ts';
import { collection, forms } from '../../shared/resource/styles/collection.ts';
import { relatedList } from '../../shared/resource/styles/nested.ts';
import { binaryActions } from '../../shared/store/binaries/actions.ts';
import { recordedAnswers } from '../../shared/store/idempotency/recorded-answers.ts';
import { productOfOrder } from './actions.ts';
import { description } from './fields.ts';
import { validate } from './validate.generated.ts';

/** Products, their images, and the products of an order. */
export const products = resource({
  name: 'products',
  title: 'Products',
  about: 'Products that customers order. Each product can have an image.',
  description,
  validate,
  revision: 2,
  sortable: ['name', 'price', 'category'],
  table: {},
  uses: [
    { table: 'orders', access: 'read' },
    { objects: 'images/', access: 'read-write' },
  ],
  idempotency: recordedAnswers,
  deferral: deferrable,
  binaries: storedBinaries,
  links: ({ id, binaries: stored }) => {
    const image = stored?.productImage;
    return image
      ? [{ rel: 'image', href: binaryHref('products', id, 'productImage'), types: [image.contentType] }]
      : [];
  },
  routes: (products) => {
    const actions = collectionActions(products);
    return [
      ...collection('/products', actions),
      ...binaries('/products/{id}', description, binaryActions(products)),
      ...forms('/products', actions),
      ...relatedList('/orders/{id}/products', productOfOrder(products)),
    ];
  },
});
