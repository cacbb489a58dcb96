import { EventBridgeClient, type EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import { currentSettings, type Settings } from './settings.ts';

let client: EventBridgeClient | undefined;
let attached: Settings | undefined;

/** EventBridge's client, made at the first call and again after other settings were attached. */
export function eventBridge(): EventBridgeClient {
  const settings = currentSettings();
  if (!client || attached !== settings) {
    attached = settings;
    client = new EventBridgeClient({ ...(settings as EventBridgeClientConfig), maxAttempts: 3 });
  }
  return client;
}
