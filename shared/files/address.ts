import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { config } from '../aws/config.ts';
import { s3OfClients } from '../aws/s3.ts';
import type { ObjectFacts } from './objects.ts';
import { isActive } from './served.ts';

/** How long an address lets a request begin; what has begun may take its time. */
const LIFETIME_SECONDS = 300;

/**
 * A URL, or a path of the service's host, at which a client can read one object itself, at any size and by ranges. The type, and that an active type is
 * offered as a download, are part of what is signed, as is the version where the bucket keeps them: what was judged is
 * what is read, and the type is that of the bytes. Nothing else is: the client sends ranges and conditions as it likes,
 * and S3 knows the same entity tags.
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
  // The signature is for S3's host, which the edge names to it.
  const { pathname, search } = new URL(address);
  return path + pathname + search;
}
