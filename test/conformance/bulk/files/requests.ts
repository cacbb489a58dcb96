import type { Answer, Body, SentRequest } from '../../../support/client/client.ts';
import { send } from '../../../support/service/under-test.ts';

/** Sends files to their collection. */
export const post = (sent: SentRequest, headers: SentRequest['headers'] = {}): Promise<Answer> =>
  send('POST', '/files', { ...sent, headers: { ...sent.headers, ...headers } });
export const base64 = (text: string) => Buffer.from(text).toString('base64');
/** The address of a file. */
export const pathOf = (name: string) => `/files/${encodeURIComponent(name)}`;
/** The elements of a response with several results. */
export const items = (answer: Answer) =>
  answer.json().items as readonly (Body & { status?: number; href?: string })[];
export const XML = { 'Content-Type': 'application/xml' };
