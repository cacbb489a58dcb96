import { SQSClient } from '@aws-sdk/client-sqs';
import { type Engines, inProcess } from 'embedded-aws';

type InProcess = ReturnType<typeof inProcess>['handle'];
type Request = Parameters<InProcess>[0] & { readonly hostname: string };
/** The time-outs of an attempt in ms. */
type Timeouts = { readonly connectionTimeout?: number; readonly requestTimeout?: number };
type Handle = (request: Request, options?: Parameters<InProcess>[1]) => ReturnType<InProcess>;

/**
 * Returns a request handler for clients of AWS. The engines in this process handle requests to AWS addresses. Requests
 * to addresses of the environment use the network, with `timeouts`.
 */
export function transport(engines: Engines, timeouts: Timeouts = {}) {
  const here = inProcess(engines);
  const network: { handle: Handle } = new SQSClient({ requestHandler: timeouts }).config.requestHandler;
  const handle: Handle = (request, options) =>
    request.hostname.endsWith('.amazonaws.com')
      ? here.handle(request, options)
      : network.handle(request, options);
  return { ...here, handle };
}
