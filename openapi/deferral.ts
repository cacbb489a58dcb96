import { OPERATION_FACTS, storedOperations } from '../shared/operations/record/operations.ts';
import { representations } from './content.ts';
import { type Response, ref } from './model.ts';
import { type Names, response } from './responses/headers.ts';
import { schemaNames } from './schemas/schemas.ts';
import { givesUploadLinks, isKeyed, type Target } from './targets.ts';

/** True if the service can run the request as an operation. */
export const isDeferrable = ({ resource, method }: Target): boolean =>
  method !== 'GET' && resource.deferral !== false;

/** True if the target is an operation resource, which clients poll or cancel. */
export const isOfOperations = ({ resource }: Target): boolean => resource.name === OPERATION_FACTS.name;

const ACCEPTED: Names = ['Content-Location', 'Link', 'Location', 'Retry-After'];

/** Returns the 202 response: the operation, and the URI of its status. Source: RFC 9110 §15.3.3. */
export function acceptedResponse(target: Target): Response {
  const description =
    target.endpoint.id === 'renew'
      ? 'The operation. Its `uploads` have the new links.'
      : target.endpoint.isLong
        ? 'The service has accepted the request and runs it as an operation. `Location` is the status of the operation, with its progress.'
        : 'The service has accepted the request and runs it as an operation. `Location` is the status of the operation. This happens with `Prefer: respond-async`, and if the work is too much for one response, such as a list of more than 100 items.';
  const replayed: Names = isKeyed(target) ? ['Idempotency-Replayed'] : [];
  const name = givesUploadLinks(target) ? 'UploadOperation' : schemaNames(storedOperations).item;
  return response(description, [...ACCEPTED, ...replayed], {
    content: representations(target, ref('schemas', name)),
  });
}
