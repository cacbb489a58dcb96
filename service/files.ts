import type { Resource } from '../shared/resource/resource.ts';
import { registry } from './registry.ts';

/** The files of the service; undefined if it stores none. */
export const files: Resource | undefined = registry.find(({ name }) => name === 'files');
