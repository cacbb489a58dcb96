import type { CallSettings } from '../dynamodb/calls.ts';
import type { Credentials } from '../dynamodb/signature.ts';

/** The settings of all clients. */
export type ClientSettings = Pick<CallSettings, 'requestHandler' | 'region' | 'pause'> & {
  readonly credentials?: Credentials;
};

/**
 * A call waits 1 s for a connection and 3 s for a response, and has three attempts. API Gateway allows 29 s for the
 * whole request.
 *
 * Source: AWS SDK for JavaScript v3 Developer Guide, "Configuring timeouts".
 */
export const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true };

const DEFAULTS: ClientSettings = { requestHandler: TIMEOUTS };

let settings = DEFAULTS;

/** Sets another transport, credentials or region for all clients. Call it before the first request. */
export function configureClients(transport: ClientSettings): void {
  settings = { ...DEFAULTS, ...transport };
}

/** The current settings: a new object after `configureClients`. */
export const currentSettings = (): ClientSettings => settings;
