import { binaryHref } from '../../shared/resource/binary.ts';
import { describe, type ItemFacts } from '../../shared/resource/description/description.ts';
import { anyValue, binary, money, text } from '../../shared/resource/description/fields.ts';

/** A product. The resource is open: clients may add properties. */
export const description = describe({
  singular: 'product',
  title: 'name',
  open: true,
  fields: {
    name: text('Name', { example: 'Mug' }),
    category: text('Category', { example: 'kitchen' }),
    sku: text('SKU', {
      unique: true,
      maximum: 40,
      help: 'The article number of the product.',
      example: 'MUG-03-B',
    }),
    price: money('Price', 14.5),
    color: anyValue('Color', { types: ['string', 'number', 'object'], example: 'blue' }),
    size: anyValue('Size', { types: ['string', 'number', 'object'], example: '0.3 l' }),
    productImage: binary('Image', { accepts: 'image/*' }),
  },
});

/** The facts that make the representation of a product, also inside an order. */
export const productFacts = {
  name: 'products',
  description,
  revision: 2,
  links: ({ id, binaries: stored }) => {
    const image = stored?.productImage;
    return image
      ? [{ rel: 'image', href: binaryHref('products', id, 'productImage'), types: [image.contentType] }]
      : [];
  },
} satisfies ItemFacts;
