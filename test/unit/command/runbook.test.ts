import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { OPERATORS_PAGES } from '../../../service/folders.ts';
import { runbookFor, slugOf } from '../../../tools/runbook/runbook.ts';

const page = OPERATORS_PAGES.map((name) =>
  readFileSync(join(import.meta.dirname, `../../../docs/${name}.md`), 'utf8'),
).join('\n');
const shop = { stack: 'shop' };

/** The lines in blocks of code. */
const codeIn = (text: string): string[] =>
  text.split(/^\s*```.*$/m).flatMap((part, at) => (at % 2 === 1 ? part.trim().split('\n') : []));

test('the runbook of a service has its stack and the commands of the package', () => {
  const lines = codeIn(runbookFor(page, shop));
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => /npm run (?!cdk)|(?<!npx )resource-api/.test(line))).toEqual([]);
  expect(lines.some((line) => line.includes('--stack-name shop'))).toBe(true);
  expect(lines.some((line) => /npx resource-api data export \w+/.test(line))).toBe(true);
});

test('a section ends before the next one of its level', () => {
  const section = runbookFor(page, { stack: 'shop', region: 'eu-west-1' }, 'new-code');
  expect(section).toMatch(/^# Stack shop\nexport AWS_REGION=eu-west-1\n\n### new-code\n/);
  expect(section.match(/^#+ .*$/gm)).toEqual(['# Stack shop', '### new-code']);
  expect(runbookFor(page, shop, 'Roll a deployment back')).toContain('## Roll a deployment back\n');
});

test('a comment in a block of code makes no section', () => {
  const text = '# Page\n## One\n```sh\n# not a heading\nnpm run data -- export x\n```\nend\n## Two\n';
  expect(runbookFor(text, shop, 'one')).toBe(
    '# Stack shop\n\n## One\n```sh\n# not a heading\nnpx resource-api data export x\n```\nend\n',
  );
});

test('an unknown section is refused with those that exist', () => {
  expect(() => runbookFor('# Page\n## One\n', shop, 'two')).toThrow(
    'There is no section two. Sections: page, one',
  );
  expect(slugOf('A token in wrong hands')).toBe('a-token-in-wrong-hands');
});
