import { relatedOf } from './derived/related.ts';
import { registry } from './registry.ts';

/**
 * The related lists on the page of an item, by the resource of the item. Pages import them as `#related`. The bundler
 * replaces this module by one with the lists of one resource.
 */
export const RELATED = relatedOf(registry);
