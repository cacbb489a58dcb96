import { expect, test } from '@jest/globals';
import { usd } from '../../../infra/cost/prices.ts';
import { fillDocument } from '../../cost/model/document.ts';

const marked = (text: string) =>
  `Before.\n\n<!-- begin one: written by npm run cost -->\n${text}<!-- end one -->\n\nAfter.\n`;

test('the text between the marks is replaced, and nothing else changes', () => {
  const once = fillDocument(marked(''), { one: '| $1 |' });
  expect(once).toBe(marked('\n| $1 |\n\n'));
  expect(fillDocument(once, { one: '| $1 |' })).toBe(once);
  expect(fillDocument(once, { one: 'x' })).toBe(marked('\nx\n\n'));
});

test('a mark without a text and a text without a mark are reported', () => {
  expect(() => fillDocument(marked(''), {})).toThrow('one');
  expect(() => fillDocument(marked(''), { one: '', two: '' })).toThrow('two');
});

test.each([
  [0, '0'],
  [0.0042, '0.004'],
  [0.126, '0.13'],
  [4.684, '4.68'],
  [123.4, '123'],
  [9394.1, '9,394'],
])('%d dollars are read as %s', (value, text) => {
  expect(usd(value)).toBe(text);
});
