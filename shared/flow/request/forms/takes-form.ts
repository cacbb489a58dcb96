import { isFormType } from '../../../representations/forms/form.ts';
import { acceptsForms } from '../../../resource/route.ts';
import type { Received, Targeted } from '../../exchange.ts';

/** True if the content is a form, and the endpoint accepts forms. */
export const takesForm = ({ request, resource, endpoint }: Received & Targeted): boolean =>
  request.method === 'POST' &&
  isFormType(request.headers['content-type']) &&
  acceptsForms(resource, endpoint);
