import type { Resource } from '../shared/resource/resource.ts';

/** Memory of the function of a resource in MB, unless its requests need more. */
const RESOURCE_MB = 256;

/**
 * Memory in MB for the bytes of a binary property, which have 4 MiB, with the client of S3. A list that expands two
 * relations needs it too: it can read 50 MB.
 */
const LARGE_MB = 512;

/** Memory of other functions in MB. */
const EXCEPTIONS: Readonly<Record<string, number>> = {
  // The SDK's client of S3 computes for 2 to 3 ms a request. With 256 MB, Lambda interrupts it, and the price is higher.
  files: 512,
  site: 512,
  audit: 128,
  authorizer: 512,
  worker: 1024,
  'dead-letters': 256,
  sweeper: 256,
  events: 256,
  'pre-traffic': 256,
  // One core hashes a file faster than S3 delivers it.
  uploads: 1769,
};

/**
 * Memory of a function in MB. `resource` is the resource that the function serves. Lambda also gives the function
 * memory ÷ 1,769 MB of a processor. The cost model reads the same value. docs/decisions/0042-memory-of-functions.md has
 * the measurements.
 *
 * Source: AWS Lambda Developer Guide, "Configure Lambda function memory".
 */
export function memoryOf(name: string, resource?: Pick<Resource, 'binaries' | 'relations'>): number {
  const isLarge = resource && (resource.binaries || Object.keys(resource.relations).length > 1);
  return EXCEPTIONS[name] ?? (isLarge ? LARGE_MB : RESOURCE_MB);
}
