import { DynamoDBClient as OfficialClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBClient } from '../../../../shared/aws/dynamodb/client.ts';
import type { HttpRequest } from '../../../../shared/aws/dynamodb/transport.ts';

/** The response of a stub of DynamoDB. */
export interface Stubbed {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

/** A transport that passes requests to a stub. `sent` has the requests. */
export function stubbed(answer: (request: HttpRequest) => Stubbed | Error) {
  const sent: HttpRequest[] = [];
  const handle = async (request: HttpRequest) => {
    sent.push({ ...request, headers: { ...request.headers }, body: textOf(request.body) });
    const stub = answer(request);
    if (stub instanceof Error) throw stub;
    const { statusCode = 200, headers = {}, body } = stub;
    const fields = { 'content-type': 'application/x-amz-json-1.0', ...headers };
    return { response: { statusCode, headers: fields, body: Buffer.from(body) } };
  };
  return { sent, requestHandler: { metadata: { handlerProtocol: 'h1' }, handle, destroy() {} } };
}

/** The SDK's client sends bytes. */
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

/** Clients of this service and of the SDK with the same settings and the same stub. */
export function bothClients(answer: Parameters<typeof stubbed>[0], more: object = {}) {
  const [ours, theirs] = [stubbed(answer), stubbed(answer)];
  const settings = { region: 'us-east-1', credentials: CREDENTIALS, maxAttempts: 1, ...more };
  return {
    ours: {
      client: new DynamoDBClient({ ...settings, requestHandler: ours.requestHandler }),
      sent: ours.sent,
    },
    theirs: {
      client: new OfficialClient({ ...settings, requestHandler: theirs.requestHandler }),
      sent: theirs.sent,
    },
  };
}
