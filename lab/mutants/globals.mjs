/** What tests import of `@jest/globals`: the functions of Vitest, with the matchers of Jest. */
import { expect as matchers } from 'expect';
import * as vitest from 'vitest';

export const { afterAll, afterEach, beforeAll, beforeEach, describe } = vitest;
export const expect = matchers;

const isTimed = (title) => /\blinear\b/.test(title);

/** Tests that measure time do not run: they take seconds, and a busy machine fails them. */
export const test = Object.assign(
  (title, ...rest) => (isTimed(title) ? vitest.test.skip : vitest.test)(title, ...rest),
  {
    each:
      (...table) =>
      (title, ...rest) =>
        (isTimed(title) ? vitest.test.skip : vitest.test).each(...table)(title, ...rest),
  },
);
