import type { Resource } from '../shared/resource/resource.ts';
import { own, registryOf } from './all-resources.ts';

/** Every resource: those of the service, and those of every service. The bundler replaces this module by the list. */
export const registry: readonly Resource[] = registryOf(own);
