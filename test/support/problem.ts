import { expect } from '@jest/globals';
import type { Answer } from './client.ts';

const NAMES: Readonly<Record<number, readonly string[]>> = {
  400: ['malformed-body', 'validation-error', 'malformed-patch'],
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
 * Every error is RFC 9457: a problem document of this status whose type names it, with nothing internal in it. The
 * names of 414, 431 and 501 are not given: only their shape is looked at.
 */
export function expectProblem(answer: Answer, status: number, name?: string): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: expect.any(String) });
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json(;|$)/);
  // The answer to HEAD is the same without its body.
  if (answer.bytes.length === 0 && answer.headers['content-length'] !== '0') return;
  const body = answer.json();
  expect(body).toMatchObject({
    type: expect.stringMatching(/\/problems\/[a-z-]+$/),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.any(String),
    requestId: expect.stringMatching(/./),
  });
  const named = body.type.replace(/^.*\//, '');
  if (name !== undefined) expect(named).toBe(name);
  else if (NAMES[status]) expect(NAMES[status]).toContain(named);
  expect(answer.text).not.toMatch(/node_modules|\.ts:\d|at .*\(.*:\d+:\d+\)|DynamoDB|SQLITE|AWS\.|ECONN/i);
}
