import { expect, test } from '@jest/globals';
import { below, isTest, linesWith, type Source, sources } from './sources.ts';

const found = (modules: readonly Source[], pattern: RegExp) =>
  modules.flatMap((one) => linesWith(one, pattern));

test('only the configuration reads the environment', () => {
  const configuration = ['shared/aws/config.ts', 'shared/aws/config.ts'];
  const others = below('functions', 'shared', 'pages').filter(({ path }) => !configuration.includes(path));
  expect(found(others, /\bprocess\s*\.\s*env\b|\bprocess\b.*\benv\b/)).toEqual([]);
});

/**
 * These modules judge the status of another service: of S3, which responds to HEAD without a body, of new code, of an
 * issuer, and of receivers of webhooks.
 */
const STATUS_OF_OTHERS = [
  'shared/files/objects.ts',
  'functions/pre-traffic/check.ts',
  'functions/signin/code-flow.ts',
  'functions/webhooks/post.ts',
];

test('only the flow has status codes: functions, store and files have none', () => {
  const modules = below('functions', 'shared/store', 'shared/files', 'shared/operations').filter(
    ({ path }) => !STATUS_OF_OTHERS.includes(path),
  );
  expect(found(modules, /status(?:Code)?\w*\W.*\b[1-5]\d\d\b|\b[1-5]\d\d\b.*status/i)).toEqual([]);
});

test('pure layers get the clock and random numbers as arguments', () => {
  const pure = below(
    'shared/http',
    'shared/json',
    'shared/resource',
    'shared/representations',
    'shared/flow',
  );
  const impure =
    /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandom(UUID|Bytes|Int)\b|\bperformance\.now\b/;
  expect(found(pure, impure)).toEqual([]);
});

test('one folder writes the conditions and changes of DynamoDB', () => {
  const others = below('functions', 'shared', 'pages').filter(
    ({ path }) => !path.startsWith('shared/store/write/'),
  );
  expect(found(others, /\b\w*(?:Condition|Update|Filter|Projection)Expression\b/)).toEqual([]);
});

test('one module of the service reads the clock, and tests replace its clock', () => {
  const service = below('functions', 'shared', 'pages').filter(
    ({ path }) => path !== 'shared/aws/clock.ts' && !path.startsWith('functions/site/assets/'),
  );
  expect(found(service, /\bDate\s*\.\s*now\b|\bnew Date\(\)/)).toEqual([]);
  expect(found(sources.filter(isTest), /\bDate\.now = |spyOn\(Date/)).toEqual([]);
});

test('every exported function and class of shared has a docstring', () => {
  const exported =
    /^export (?:async function\*?|function\*?|(?:abstract )?class) (\w+)|^export const (\w+)(?::[^=\n]+)? =\s(?:async )?(?:<|\w+ =>|\([^()]*(?:\([^()]*\)[^()]*)*\)[^=\n;]*=>)/gm;
  const bare = below('shared', 'pages').flatMap(({ path, text }) =>
    [...text.matchAll(exported)]
      .filter(({ index }) => !/\*\/\s*$/.test(text.slice(0, index)))
      .map(([, name, constant]) => `${path}: ${name ?? constant}`),
  );
  expect(bare).toEqual([]);
});

const LONGEST = 300;
const LONG = 250;
/** Modules that are long enough to hide a second topic. The list may only become shorter. */
const KNOWN_TO_BE_LONG = ['shared/json/parse.ts'];

test('modules are short', () => {
  const modules = sources.filter((one) => !isTest(one));
  const longer = (than: number) =>
    modules.filter(({ text }) => text.trimEnd().split('\n').length > than).map(({ path }) => path);
  expect(longer(LONGEST)).toEqual([]);
  expect(longer(LONG).sort()).toEqual(KNOWN_TO_BE_LONG);
});

test('no module disables the check of types', () => {
  expect(found(sources, /(?:[:<|&]|\bas|\bextends)\s*any\b|,\s*any\s*>/)).toEqual([]);
});

/** These modules show what does not compile. */
const TYPE_TESTS = ['test/unit/flow/flow.test.ts', 'test/unit/store/owner.test.ts'];

test('no module silences the compiler', () => {
  const silenced = sources.filter(({ text }) =>
    /^\s*(?:\/\/|\/\*)\s*@ts-(?:ignore|nocheck|expect-error)/m.test(text),
  );
  expect(silenced.map(({ path }) => path)).toEqual(TYPE_TESTS);
});
