import { EventBridgeClient, type EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import { lazyClient, withoutLogger } from './client.ts';

/** The EventBridge client. The first call creates it, and so does the first call after `configureClients`. */
export const eventBridge = /* @__PURE__ */ lazyClient((settings) =>
  withoutLogger(new EventBridgeClient(settings as EventBridgeClientConfig)),
);
