import { EventBridgeClient, type EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import { lazyClient } from './lazy-client.ts';
import { withoutLogger } from './without-logger.ts';

/** EventBridge's client, made at the first call and again after other settings were attached. */
export const eventBridge = /* @__PURE__ */ lazyClient((settings) =>
  withoutLogger(new EventBridgeClient({ ...(settings as EventBridgeClientConfig), maxAttempts: 3 })),
);
