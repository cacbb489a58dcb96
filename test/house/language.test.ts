import { expect, test } from '@jest/globals';
import { sources } from './sources.ts';

test('no source cites a document that is not in the repository', () => {
  const cited = sources
    .filter(({ path }) => path !== 'test/house/language.test.ts')
    .flatMap(({ path, text }) =>
      /Source: (?:conventions|decisions)\b|\bdecisions §/i.test(text) ? [path] : [],
    );
  expect(cited).toEqual([]);
});
