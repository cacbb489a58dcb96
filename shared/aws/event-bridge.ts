import { EventBridgeClient, type EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import { attachedClient } from './attached-client.ts';

/** EventBridge's client, made at the first call and again after other settings were attached. */
export const eventBridge = /* @__PURE__ */ attachedClient(
  (settings) => new EventBridgeClient({ ...(settings as EventBridgeClientConfig), maxAttempts: 3 }),
);
