import { describe } from '../../shared/resource/description.ts';
import { money, text } from '../../shared/resource/fields.ts';

/** A product, open to properties of a client's own; its image is a part of its own. */
export const description = describe({
  singular: 'product',
  open: true,
  fields: {
    name: text('Name'),
    category: text('Category'),
    price: money('Price'),
    color: text('Color'),
    size: text('Size'),
  },
  internal: { imageType: text('Image type') },
});
