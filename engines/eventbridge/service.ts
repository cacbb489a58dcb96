import type { JsonService } from '../json-protocol.ts';
import type { Feed } from './feed.ts';
import { putEvents } from './put-events.ts';

/** EventBridge on the wire. Source: EventBridge API Reference "PutEvents". */
export const eventBridgeService: JsonService<Feed> = {
  name: 'EventBridge',
  namespace: 'com.amazonaws.eventbridge',
  operations: { PutEvents: putEvents },
};
