import type { Resource } from '../shared/resource/resource.ts';
import { add } from './add/resource.ts';
import { customers } from './customers/resource.ts';
import { files } from './files/resource.ts';
import { members } from './members/resource.ts';
import { operations } from './operations/resource.ts';
import { orders } from './orders/resource.ts';
import { products } from './products/resource.ts';
import { root } from './root/resource.ts';
import { site } from './site/resource.ts';

/** Every resource, one line each: the cloud's stack, the local gateway and the generated documents all start here. */
export const registry: readonly Resource[] = [
  root,
  members,
  customers,
  orders,
  products,
  files,
  operations,
  add,
  site,
];
