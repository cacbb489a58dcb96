import { siteFiles } from '../../openapi/site/files.ts';
import { sha256 } from '../../shared/files/file-actions.ts';
import { Objects } from '../../shared/files/objects.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** The type does not matter here, because the site's function knows the types of its files. */
const MEDIA_TYPE = 'application/octet-stream';

/** Writes the files of the site to the bucket. An unchanged file keeps its entity tag and its date. */
export async function publishSite(registry: readonly Resource[], basePath: string): Promise<void> {
  const objects = new Objects('site/');
  const files = siteFiles(registry, basePath);
  for (const [key, bytes] of files) {
    const digest = sha256(bytes);
    if ((await objects.head(key))?.sha256 === digest) continue;
    await objects.put(key, { bytes, mediaType: MEDIA_TYPE, sha256: digest }, undefined);
  }
  for await (const { key } of objects.list()) if (!files.has(key)) await objects.remove(key);
}
