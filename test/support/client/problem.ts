import { expect } from '@jest/globals';
import type { Answer } from './client.ts';

const NAMES: Readonly<Record<number, readonly string[]>> = {
  400: [
    'malformed-request',
    'malformed-body',
    'validation-error',
    'malformed-patch',
    'digest-invalid-values',
    'digest-mismatched-values',
  ],
  401: ['unauthenticated'],
  403: ['forbidden'],
  404: ['not-found'],
  405: ['method-not-allowed'],
  406: ['not-acceptable'],
  409: ['conflict', 'patch-conflict', 'invalid-transition', 'operation-finished'],
  412: ['precondition-failed'],
  413: ['payload-too-large'],
  415: ['unsupported-media-type'],
  416: ['range-not-satisfiable'],
  428: ['precondition-required'],
  503: ['unavailable'],
};

/**
 * Checks that an error is a problem document (RFC 9457) of this status. Its type must name the status, and it must
 * show no internals. The specification names no types for 414, 431 and 501, so only their shape counts.
 */
export function expectProblem(answer: Answer, status: number, name?: string): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: expect.any(String) });
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json(;|$)/);
  // The response to HEAD is the same without its body.
  if (answer.bytes.length === 0 && answer.headers['content-length'] !== '0') return;
  const body = answer.json();
  expect(body).toMatchObject({
    type: expect.stringMatching(
      /\/problems\/[a-z-]+$|^https:\/\/iana\.org\/assignments\/http-problem-types#/,
    ),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.any(String),
    requestId: expect.stringMatching(/./),
  });
  const named = body.type.replace(/^.*[/#]/, '');
  if (name !== undefined) expect(named).toBe(name);
  else if (NAMES[status]) expect(NAMES[status]).toContain(named);
  expect(answer.text).not.toMatch(/node_modules|\.ts:\d|at .*\(.*:\d+:\d+\)|DynamoDB|SQLITE|AWS\.|ECONN/i);
}
