import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { documents } from './documents.ts';
import { below, isTest, linesWith, sources } from './sources.ts';

/** A count that may only become smaller. `found`: the counted things. */
export interface Ratchet {
  readonly name: string;
  readonly limit: number;
  readonly found: readonly string[];
}

const ROOT = join(import.meta.dirname, '../..');

/** Words of sentences without an actor, or with a clause as a subject. Some uses are right, so the rule is a count. */
const WORDS =
  /\b(?:told|tells|whoever|nobody|somebody|stands|besides|lest|(?<!there )is none|(?<!there )(?:is|are) no (?!longer|more)[a-z]+)\b/i;

const lines = [...sources.filter(({ path }) => path !== 'test/house/ratchets.ts'), ...documents].flatMap(
  ({ path, text }) =>
    text.split('\n').flatMap((line, at) => (WORDS.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
);

const casts = below('shared/flow').flatMap((one) => linesWith(one, /^(?!import).*\bas (?!const\b)[\w({]/));

/** A cast, and no import or export under another name. */
const CAST = /^(?!\s*(?:import|export) |.*\}? from )(?:.*[\])\w}>!] )as (?!const\b)[\w({[]/;

/** An exported function whose name is a participle alone. Outcomes such as `created` may stay. */
const PARTICIPLE =
  /^export (?:async )?(?:function|const) (?:[a-z]+ed|held|bound|shown|sent|written|taken|kept|made|left|begun|built|told|drawn|given)\b/;

const inSource = sources.filter((one) => !isTest(one));

/**
 * Modules of the flow that import pages or forms, or ask whether the endpoint is a form or the response a page. The
 * room `browser` is in front of the flow.
 */
const browsers = below('shared/flow').filter(({ text }) =>
  /\/(?:pages|forms|browser)\/|'#(?:browser|forms|pages)'|kind === '(?:page|data)'|emptyForm|submitted|isPage|shape === 'form'|\bform(?:\.|:|,| [!=]==|\?\.)|(?:takes|accepts|has)Forms?\b|\bhtml\b/.test(
    text,
  ),
);

/** A name that says who without a noun. The type `Caller` says it. */
const WHOSE = /^(?!\s*(?:\*|\/[/*])).*\bwhose\b(?=\s*[,:?.)};=])/;

/** The docstring of a function: its beginning says what the function does, with a verb in -s or with "True if". */
const DOCSTRING =
  /\/\*\*\s*(?:\* )?((?:(?!\*\/)[\s\S])*?)\*\/\s*(?:export )?(?:async )?(?:function\*? \w+|const \w+(?::[^=\n]+)? =\s+(?:async )?(?:<[^\n]*|\w+ =>|\([^()]*(?:\([^()]*\)[^()]*)*\)[^=\n;]*=>))/g;
const CAPTION = /^(?:The|A|An|All|One|What|Why|How|Whether)\b/;

/** The modules of the folder with the most modules. */
function largestFolder(): readonly string[] {
  const folders = new Map<string, string[]>();
  for (const { path } of sources) {
    const folder = posix.dirname(path);
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  return [...folders.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

/**
 * The most lines of each room of the product, in steps of 500. The commit that needs another step raises the limit, and
 * says why.
 */
const ROOM_LINES = {
  api: 3_000,
  service: 2_000,
  functions: 9_500,
  pages: 5_500,
  infra: 7_000,
  local: 4_000,
  openapi: 4_000,
  tools: 6_500,
  'shared/authorization': 500,
  'shared/aws': 1_000,
  'shared/concurrency': 500,
  'shared/events': 1_500,
  'shared/files': 3_000,
  'shared/flow': 5_500,
  'shared/http': 2_000,
  'shared/json': 1_500,
  'shared/lambda': 1_000,
  'shared/operations': 3_000,
  'shared/representations': 3_000,
  'shared/resource': 5_500,
  'shared/store': 8_500,
};

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };

export const ratchets: readonly Ratchet[] = [
  { name: 'lines with words of the old style', limit: 0, found: lines },
  { name: 'casts in shared/flow', limit: 5, found: casts },
  {
    name: 'casts in source',
    limit: 250,
    found: inSource.flatMap((one) => linesWith(one, CAST)),
  },
  {
    name: 'modules of the flow that know pages or forms',
    limit: 6,
    found: browsers.map(({ path }) => path),
  },
  ...Object.entries(ROOM_LINES).map(([room, limit]) => ({
    name: `lines of ${room}`,
    limit,
    found: below(room).flatMap(({ text }) => text.trimEnd().split('\n')),
  })),
  {
    name: 'lines of the product',
    limit: 72_500,
    found: below(...Object.keys(ROOM_LINES)).flatMap(({ text }) => text.trimEnd().split('\n')),
  },
  {
    name: 'exports named by a participle',
    limit: 15,
    found: inSource.flatMap((one) => linesWith(one, PARTICIPLE)),
  },
  {
    name: 'variables called whose',
    limit: 0,
    found: inSource.flatMap((one) => linesWith(one, WHOSE)),
  },
  {
    name: 'docstrings of functions that begin with no verb',
    limit: 400,
    found: below(...Object.keys(ROOM_LINES)).flatMap(({ path, text }) =>
      [...text.matchAll(DOCSTRING)].flatMap(([, doc = '']) => (CAPTION.test(doc) ? [`${path}: ${doc}`] : [])),
    ),
  },
  {
    name: 'modules of shared with at most 25 lines',
    limit: 16,
    found: below('shared').flatMap(({ path, text }) =>
      text.trimEnd().split('\n').length <= 25 ? [path] : [],
    ),
  },
  { name: 'modules in the largest folder', limit: 15, found: largestFolder() },
  { name: 'modules of infra', limit: 67, found: below('infra').map(({ path }) => path) },
  {
    name: 'lines of README.md',
    limit: 170,
    found: readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n'),
  },
  // Authors of resources begin with `npm run new`. Operators look for `npm run data` on a bad day. Readers of the
  // comparison repeat it by `npm run lab`.
  { name: 'npm scripts', limit: 16, found: Object.keys(scripts) },
];
