/** What `embedded-aws` exports: engines on a folder, three ways to reach them, and readers of changes in this process. */

export { dataFault } from './data-fault.ts';
export { hasStream } from './dynamodb/streams/changes.ts';
export { readRecords } from './dynamodb/streams/get-records.ts';
export { parseSequenceNumber, type StreamRecord } from './dynamodb/streams/record.ts';
export type { Table } from './dynamodb/tables/table.ts';
export { type Engines, openEngines, type TypedService } from './engines.ts';
export { Fault } from './fault.ts';
export { inProcess } from './in-process.ts';
export { listen } from './listener.ts';
export { concerns, type QueueRule } from './s3/notifications/rules.ts';
export type { Slow } from './s3/slow.ts';
export { type Credentials, newCredentials, signedHeaders } from './signature.ts';
export { typedCalls } from './typed-calls.ts';
export type { EngineRequest, EngineResponse } from './wire.ts';
