import type { Resource } from '../shared/resource/resource.ts';

/** Memory in MB of the function of a resource without stores, and of most functions in the background. */
const SMALL_MB = 256;

/**
 * Memory in MB of the function of a resource with stores. A client of the SDK computes for 1 to 3 ms a request. With 256
 * MB, Lambda interrupts it, and the price is higher.
 */
const RESOURCE_MB = 512;

/** Memory of the other functions in MB. */
const EXCEPTIONS: Readonly<Record<string, number>> = {
  audit: 128,
  authorizer: 512,
  mcp: 512,
  worker: 1024,
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
export function memoryOf(name: string, resource?: Pick<Resource, 'table' | 'uses'>): number {
  const hasStores = resource && (resource.table !== undefined || resource.uses.length > 0);
  return EXCEPTIONS[name] ?? (hasStores ? RESOURCE_MB : SMALL_MB);
}
