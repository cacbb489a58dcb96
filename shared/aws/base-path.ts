import { config, type GatewaySettings } from './config.ts';

/** The part of an event of API Gateway that names the host and the stage. */
interface Placed {
  readonly requestContext: { readonly domainName?: string | undefined; readonly stage: string };
}

/**
 * The prefix of the service's own paths for clients. Locations and links begin with it. The service never derives
 * them from Host.
 */
export function basePathOf(
  { requestContext }: Placed,
  { basePath, isSam }: GatewaySettings = config.gateway(),
): string {
  if (basePath !== undefined) return basePath;
  if (isSam) return '';
  return requestContext.domainName?.includes('.execute-api.') ? `/${requestContext.stage}` : '';
}
