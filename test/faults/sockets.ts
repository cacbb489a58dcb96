import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * The SDK's own transport. `patience`: the default time in ms that a call waits for a connection and for a
 * response. Jest gives tests their own `Error`, which the SDK does not recognize. This function therefore recreates
 * Node's errors.
 */
export function overSockets(patience: number) {
  const requestHandler = {
    connectionTimeout: patience,
    requestTimeout: patience,
    throwOnRequestTimeout: true,
  };
  const inner = new DynamoDBClient({ region: 'us-east-1', requestHandler }).config.requestHandler;
  const handle: typeof inner.handle = async (...call) => {
    try {
      const { response } = await inner.handle(...call);
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body as AsyncIterable<Uint8Array>) pieces.push(piece);
      response.body = Readable.from([Buffer.concat(pieces)]);
      return { response };
    } catch (error) {
      const { name, code, message } = error as NodeJS.ErrnoException;
      throw Object.assign(new Error(message), { name, code });
    }
  };
  return {
    metadata: inner.metadata,
    handle,
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy: () => inner.destroy?.(),
  };
}
