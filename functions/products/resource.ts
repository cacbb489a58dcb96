import { deferrable } from '../../shared/operations/accepting/deferrable.ts';
import { resource } from '../../shared/resource/resource.ts';
import { binaryPart } from '../../shared/resource/styles/bytes.ts';
import { collection, forms } from '../../shared/resource/styles/collection.ts';
import { relatedList } from '../../shared/resource/styles/nested.ts';
import { recordedAnswers } from '../../shared/store/idempotency/recorded-answers.ts';
import { productActions, productOfOrder } from './actions.ts';
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
  links: ({ id, internal }) =>
    internal.imageType === undefined
      ? []
      : [{ rel: 'image', href: `/products/${id}?fields=productImage`, types: [String(internal.imageType)] }],
  routes: (products) => {
    const { image, ...actions } = productActions(products);
    return [
      ...collection('/products', actions),
      ...binaryPart('/products/{id}', { part: 'productImage', typePrefix: 'image/' }, image),
      ...forms('/products', actions),
      ...relatedList('/orders/{id}/products', productOfOrder(products)),
    ];
  },
});
