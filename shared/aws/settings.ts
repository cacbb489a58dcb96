import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** What all clients share. */
export type ClientSettings = Pick<DynamoDBClientConfig, 'requestHandler' | 'credentials' | 'region'>;

/**
 * A call waits 1 s for a connection and 3 s for an answer, and is tried three times: API Gateway gives the whole request
 * 29 s.
 *
 * Source: AWS SDK for JavaScript v3 Developer Guide, "Configuring timeouts".
 */
export const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true };

const DEFAULTS: ClientSettings = { requestHandler: TIMEOUTS };

let settings = DEFAULTS;

/** Gives all clients another transport, credentials or region. Before the first call. */
export function configureClients(transport: ClientSettings): void {
  settings = { ...DEFAULTS, ...transport };
}

/** The settings of all clients: another object after `configureClients`. */
export const currentSettings = (): ClientSettings => settings;
