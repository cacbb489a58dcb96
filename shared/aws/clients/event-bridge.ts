import { EventBridgeClient, type EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import { lazyClient } from './lazy-client.ts';
import { withoutLogger } from './without-logger.ts';

/** The EventBridge client. The first call creates it, and so does the first call after `configureClients`. */
export const eventBridge = /* @__PURE__ */ lazyClient((settings) =>
  withoutLogger(new EventBridgeClient(settings as EventBridgeClientConfig)),
);
