import { resource } from '../../shared/resource/resource.ts';
import { binaryPart, collection, forms, related } from '../../shared/resource/styles.ts';
import { productActions } from './actions.ts';
import { description } from './fields.ts';
import { validate } from './validate.generated.ts';

/** Products, their images, and the products of an order. */
export const products = resource({
  name: 'products',
  title: 'Products',
  about: 'What can be ordered. The image of a product is a part of it with media types of its own.',
  description,
  validate,
  routes: [
    ...collection('/products'),
    ...binaryPart('/products/{id}', 'productImage'),
    ...forms('/products'),
    ...related('/orders/{id}/products', 'list:order', 'list'),
  ],
  sortable: ['name', 'price', 'category'],
  table: {},
  uses: [
    { table: 'orders', access: 'read' },
    { objects: 'images/', access: 'read-write' },
  ],
  acceptsBytes: 'image/',
  links: ({ id, internal }) =>
    internal.imageType === undefined
      ? []
      : [{ rel: 'image', href: `/products/${id}?fields=productImage`, types: [String(internal.imageType)] }],
  actions: productActions,
});
