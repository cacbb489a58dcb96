import middy from '@middy/core';
import { handler as bare } from './bare.mjs';

/** Middy alone around the bare handler. */
export const handler = middy().handler(bare);
