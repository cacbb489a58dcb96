import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { s3OfClients } from '../aws/clients/s3.ts';
import { config } from '../aws/config.ts';
import { isActive } from './bytes-of-object.ts';
import type { ObjectFacts } from './objects.ts';

/** Lifetime of a presigned URL. A request that starts in time may take longer. Source: Specification 5.10. */
const LIFETIME_SECONDS = 300;

/**
 * Makes a presigned URL, or a path on the service's own host, by which a client reads one object of any size.
 * The signature covers the media type, and `attachment` for active types. In a versioned bucket, it also covers the
 * version, so that the client reads the object whose preconditions the service evaluated. It covers no other header
 * field, so the client may send ranges and preconditions. S3 uses the same entity tags as the service.
 *
 * Source: Amazon S3 User Guide, "Download and upload objects with presigned URLs"; Amazon S3 API Reference, GetObject,
 * "Overriding response header values through the request".
 */
export async function addressOf(
  place: { readonly Bucket: string; readonly Key: string },
  facts: ObjectFacts,
  method: 'GET' | 'HEAD',
): Promise<string> {
  const pinned = {
    ...place,
    VersionId: facts.version,
    ResponseContentType: facts.mediaType,
    ResponseContentDisposition: isActive(facts) ? 'attachment' : undefined,
  };
  const command = method === 'HEAD' ? new HeadObjectCommand(pinned) : new GetObjectCommand(pinned);
  const address = await getSignedUrl(s3OfClients(), command, { expiresIn: LIFETIME_SECONDS });
  const path = config.objectsPath();
  if (path === undefined) return address;
  // The signature is for S3's host name. The edge (CloudFront) sends this name to S3 in `Host`.
  const { pathname, search } = new URL(address);
  return path + pathname + search;
}
