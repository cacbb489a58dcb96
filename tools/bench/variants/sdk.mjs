import { HttpResponse } from '@smithy/core/protocols';
import { configureClients } from '../../../shared/aws/settings.ts';

/** The real client with a stubbed transport. It signs, serializes and parses as on Lambda. */
const body = Buffer.from(
  JSON.stringify({
    Item: {
      id: { N: '7' },
      _version: { N: '1' },
      _created: { N: '1780000000000' },
      _updated: { N: '1780000000000' },
      username: { S: 'ada' },
      name: { S: 'Ada Byron' },
    },
  }),
);

export function connect() {
  process.env.TABLE_MEMBERS = 'members';
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  configureClients({
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    requestHandler: {
      metadata: { handlerProtocol: 'h1' },
      handle: async () => ({ response: new HttpResponse({ statusCode: 200, headers, body }) }),
      updateHttpClientConfig() {},
      httpHandlerConfigs: () => ({}),
      destroy() {},
    },
  });
}
