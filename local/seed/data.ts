import type { JsonObject } from '../../shared/json/value.ts';

/** The first products of an empty service, so that orders have a product and products have an image. */
export const PRODUCTS = [
  { name: 'Stoneware mug', category: 'kitchen', price: 14.5, color: 'terracotta', size: '350 ml' },
  { name: 'Ruled notebook', category: 'stationery', price: 9.9, color: 'blue', size: 'A5' },
  { name: 'Reading lamp', category: 'lighting', price: 79, color: 'yellow', size: '42 cm' },
];

export const MEMBERS: readonly JsonObject[] = [
  { username: 'ada', name: 'Ada Byron', email: 'ada@example.com', age: 36 },
  {
    username: 'grace',
    name: 'Grace Murray',
    email: 'grace@example.com',
    age: 45,
    languages: ['en', 'cobol'],
  },
  { username: 'linus', name: 'Linus Pauling', email: 'linus@example.com', age: 52 },
  { username: 'zoe', name: 'Zoë Ångström', email: 'zoe@example.com' },
];

export const CUSTOMERS: readonly JsonObject[] = [
  { name: 'Blue Door Café', address: '12 Quay Street, Galway', email: 'orders@bluedoor.example' },
  {
    name: 'Lindqvist & Daughters',
    address: 'Storgatan 4, Umeå',
    email: 'hej@lindqvist.example',
    vatId: 'SE556677',
  },
  { name: 'Night School', address: '77 Mill Road, Cambridge', email: 'desk@nightschool.example' },
];

/** `customer`: index of one of the customers above. */
export const ORDERS = [
  { customer: 0, productId: 1, quantity: 24, orderValue: 348 },
  { customer: 0, productId: 3, quantity: 2, orderValue: 158 },
  { customer: 1, productId: 2, quantity: 100, orderValue: 990 },
  { customer: 1, productId: 1, quantity: 1, orderValue: 14.5 },
  { customer: 2, productId: 2, quantity: 30, orderValue: 267.3 },
];
