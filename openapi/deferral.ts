import { FACTS, operations } from '../shared/operations/operations.ts';
import { representations } from './content.ts';
import { exampleItem } from './examples.ts';
import { headerRefs } from './headers.ts';
import { linksOf } from './links.ts';
import { type Response, ref } from './model.ts';
import { schemaNames } from './schemas.ts';
import { isKeyed, type Path, type Target } from './targets.ts';

/** Whether what it does may be done after the answer. */
export const isDeferrable = ({ resource, method }: Target): boolean =>
  method !== 'GET' && resource.actions.defer !== undefined;

/** Whether it is the way to watch or cancel what is done later. */
export const isOfOperations = ({ resource }: Target): boolean => resource.name === FACTS.name;

/** The answer to what is done later: the operation, and where to watch it. Source: RFC 9110 §15.3.3. */
export function accepted(
  target: Target,
  { paths, basePath }: { readonly paths: readonly Path[]; readonly basePath: string },
): Response {
  return {
    description:
      'It is being done, or waits for that: `Location` tells how far it is. Asked for by `Prefer: respond-async`, and where the work is too much for one answer.',
    headers: headerRefs([
      'Cache-Control',
      'Content-Location',
      'Content-Security-Policy',
      ...(isKeyed(target) ? ['Idempotency-Replayed'] : []),
      'Link',
      'Location',
      'Preference-Applied',
      'Referrer-Policy',
      'Refresh',
      'Retry-After',
      'Vary',
    ]),
    content: representations(
      target,
      ref('schemas', target.operation.content === 'files' ? 'UploadOperation' : schemaNames(operations).item),
      exampleItem(operations, basePath),
    ),
    links: linksOf(operations, paths, (identifier) => `$response.body#/${identifier}`),
  };
}
