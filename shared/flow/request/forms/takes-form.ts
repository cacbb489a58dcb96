import { isFormType } from '../../../representations/forms/form.ts';
import { hasForms } from '../../../resource/route.ts';
import type { Received, Targeted } from '../../exchange.ts';

/** Whether the content is a form, and the endpoint accepts forms. */
export function takesForm({ request, resource, endpoint }: Received & Targeted): boolean {
  const { content } = endpoint;
  if (request.method !== 'POST' || !isFormType(request.headers['content-type'])) return false;
  return content === 'item' || content === 'change' ? hasForms(resource) : endpoint.form !== undefined;
}
