import type { Resource } from '../shared/resource/resource.ts';
import { add } from './add/resource.ts';
import { customers } from './customers/resource.ts';
import { files } from './files/resource.ts';
import { members } from './members/resource.ts';
import { operations } from './operations/resource.ts';
import { orders } from './orders/resource.ts';
import { products } from './products/resource.ts';
import { root } from './root/resource.ts';
import { signin } from './signin/resource.ts';
import { site } from './site/resource.ts';

/** Every resource. The stack, the local gateway and the generators of documents read this list. */
export const registry: readonly Resource[] = [
  root,
  members,
  customers,
  orders,
  products,
  files,
  operations,
  add,
  signin,
  site,
];
