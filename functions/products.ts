import { anyValue, binary, listOf, money, resource, text } from 'resource-api';

/** Products, their images, and the products of an order. */
export const products = resource('products', {
  about: 'Products that customers order. Each product can have an image.',
  open: true,
  bulk: false,
  revision: 2,
  history: { days: 30 },
  fields: {
    name: text({ example: 'Mug', sortable: true }),
    category: text({ example: 'kitchen', sortable: true }),
    sku: text({
      label: 'SKU',
      unique: true,
      maximum: 40,
      help: 'The article number of the product.',
      example: 'MUG-03-B',
    }),
    price: money({ currency: 'EUR', example: 14.5, sortable: true }),
    color: anyValue({ types: ['string', 'number', 'object'], example: 'blue' }),
    size: anyValue({ types: ['string', 'number', 'object'], example: '0.3 l' }),
    productImage: binary({ label: 'Image', accepts: 'image/*', link: 'image' }),
  },
  below: [listOf('orders', { key: 'orderId', field: 'productId' })],
});
