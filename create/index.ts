/** What `create-resource-api` exports: a new service, its files alone, and the advice for an old Node. */

export { nodeAdvice } from './node.ts';
export { makeService, writeService } from './service.ts';
