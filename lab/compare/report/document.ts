import { slugOf } from '../../../tools/runbook/runbook.ts';
import { table } from '../../table.ts';
import { PEERS } from '../peers/peers.ts';
import { type Result, tallyOf } from '../result.ts';
import { statements } from '../suite/statements.ts';

const [SERVICE = ''] = Object.keys(PEERS);
const OTHERS = Object.keys(PEERS).slice(1);
const nameOf = (id: string): string => PEERS[id]?.name ?? id;
const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');

/** The statements that a peer meets and this service does not, and the figures in which a peer is better. */
function better({ peers }: Result): string {
  const ours = peers[SERVICE]?.judged;
  const rows: string[][] = [];
  for (const { says, source } of statements) {
    if (ours?.verdicts[says]?.state === 'met') continue;
    const by = OTHERS.filter((id) => peers[id]?.judged?.verdicts[says]?.state === 'met').map(nameOf);
    if (by.length > 0) rows.push([cell(says), source, by.join(', ')]);
  }
  for (const { what, of, isBetter } of FIGURES) {
    const own = ours && of(ours.figures);
    const by = OTHERS.flatMap((id) => {
      const other = peers[id]?.judged;
      const value = other && of(other.figures);
      if (own === undefined || value === undefined || !isBetter(value, own)) return [];
      return [`${nameOf(id)} (${ratio(value, own)})`];
    });
    if (by.length > 0) rows.push([what, 'measured', by.join(', ')]);
  }
  return rows.length > 0 ? table(['row', 'source', 'better, × of this service'], rows) : 'None.';
}

type Figures = NonNullable<Result['peers'][string]['judged']>['figures'];
const FIGURES: readonly {
  readonly what: string;
  of(figures: Figures): number;
  isBetter(value: number, own: number): boolean;
}[] = [
  { what: 'GET of an item, requests a second', of: ({ get }) => get, isBetter: (value, own) => value > own },
  {
    what: 'POST of an item, requests a second',
    of: ({ post }) => post,
    isBetter: (value, own) => value > own,
  },
  { what: 'start in ms', of: ({ start }) => start, isBetter: (value, own) => value < own },
  { what: 'memory in MB after the load', of: ({ memory }) => memory, isBetter: (value, own) => value < own },
];
const ratio = (value: number, own: number): string => `× ${(value / own).toFixed(2)}`;

function scores({ peers }: Result): string {
  const ids = Object.keys(PEERS);
  const parts = [...new Set(statements.map(({ part }) => part))];
  const count = (id: string, part?: string) => {
    const peer = peers[id];
    if (!peer?.judged) return '–';
    const { met, 'not offered': absent } = tallyOf(peer, part);
    return absent > 0 ? `${met} (${absent})` : `${met}`;
  };
  const size = (part: string) => statements.filter((one) => one.part === part).length;
  const rows = [
    ...parts.map((part) => [part, `${size(part)}`, ...ids.map((id) => count(id, part))]),
    ['**all**', `**${statements.length}**`, ...ids.map((id) => `**${count(id)}**`)],
    ...FIGURES.map(({ what, of }) => [what, '', ...ids.map((id) => figure(peers, id, of))]),
  ];
  return table(['part', 'statements', ...ids.map(nameOf)], rows);
}

function figure(peers: Result['peers'], id: string, of: (figures: Figures) => number): string {
  const [peer, own] = [peers[id]?.judged, peers[SERVICE]?.judged];
  if (!peer || !own) return '–';
  const value = of(peer.figures);
  return id === SERVICE ? value.toFixed(0) : `${value.toFixed(0)} (${ratio(value, of(own.figures))})`;
}

function setUps({ peers }: Result): string {
  return table(
    ['peer', 'version', 'set-up', 'not equal'],
    Object.entries(PEERS).map(([id, { name, version, about, unequal }]) => {
      const reason = peers[id]?.reason;
      return [name, version, cell(about), cell(reason ? `not installed: ${reason}. ${unequal}` : unequal)];
    }),
  );
}

/** What the peers do not meet, by peer: the statement and the reason. */
function failures({ peers }: Result): string {
  return Object.keys(PEERS)
    .map((id) => {
      const lines = statements.flatMap(({ says, source }) => {
        const verdict = peers[id]?.judged?.verdicts[says];
        return verdict?.state === 'not met' ? [`- ${cell(says)} (${source})`] : [];
      });
      const text = lines.length > 0 ? lines.join('\n') : 'None.';
      return `<details><summary>${nameOf(id)}: ${lines.length} not met</summary>\n\n${text}\n\n</details>`;
    })
    .join('\n\n');
}

/** The text of docs/comparison.md. */
export function document(result: Result, machine: string): string {
  const parts = partsOf(result, machine);
  const titles = parts.flatMap((part) => (part.startsWith('## ') ? [part.slice(3)] : []));
  const contents = titles.map((title) => `[${title}](#${slugOf(title)})`).join(', ');
  return `${[parts[0], parts[1], `On this page: ${contents}.`, ...parts.slice(2)].join('\n\n')}\n`;
}

/** The headings and paragraphs of the page. */
function partsOf(result: Result, machine: string): readonly string[] {
  return [
    '# Comparison with other APIs',
    `\`npm run lab -- compare\` installs the peers below, judges each by the same ${statements.length} statements, and writes this page. It takes about ${MINUTES} minutes. \`npm run lab -- compare kinto\` repeats one peer, \`npm run lab -- compare --figures\` measures all again, and \`npm run lab -- compare --url URL\` judges a running API with the paths of [specification.md](specification.md).`,
    '## What others have, and this service has not',
    LACKING,
    '## The direct peers, by their functions',
    FUNCTIONS,
    '## Where a peer is better',
    better(result),
    '## Scores',
    '![Statements that each API meets](comparison/score.svg)',
    `A cell is the number of met statements. In parentheses is the number of statements about functions that the API does not offer: they count as not met. Figures come from one run on ${machine}, with the ratio to this service. Rely on large ratios alone: the machine may have had other work.`,
    scores(result),
    '![GET of an item](comparison/get.svg)\n![POST of an item](comparison/post.svg)',
    '![Start](comparison/start.svg)\n![Memory after the load](comparison/memory.svg)',
    '## How a statement is judged',
    RULES,
    '## Set-up',
    setUps(result),
    '## What is not met',
    failures(result),
  ];
}

const MINUTES = 20;

/** What sends people to another product, which no statement asks. Source: the documentation of each product. */
const LACKING = `${table(
  ['what', 'for example in'],
  [
    [
      'joins over collections, groups and sums in a query, SQL',
      'PostgREST, Django REST framework, NestJS with Prisma',
    ],
    ['an admin tool over all data, with roles', 'Directus, PocketBase, Django'],
    ['accounts with passwords and mails of their own', 'PocketBase, Directus, AWS Amplify'],
    ['search in texts', 'PostgREST and Django on PostgreSQL, API Platform on Elasticsearch'],
    ['GraphQL', 'API Platform, Directus, AWS Amplify'],
    ['events in the browser without a poll', 'PocketBase, Directus, API Platform with Mercure, AWS Amplify'],
    ['another cloud, or a server of your own', 'each of them but AWS Amplify'],
    ['an ecosystem: plugins, courses, people who know it', 'Spring, Django, NestJS'],
  ],
)}`;

/** Functions of the products that make an API from a description, too. Source: their documentation. */
const FUNCTIONS = `${table(
  ['function', 'resource-api', 'PostgREST', 'Directus', 'PocketBase', 'API Platform'],
  [
    ['joins in a query', '`expand`: one level', '**yes**', '**yes**', '`expand`: six levels', '**yes**'],
    [
      'sums and groups over everything',
      'of a list, by one field (`totals`)',
      '**yes**',
      '**yes**',
      'in SQL views',
      'own code',
    ],
    ['SQL of your own', 'no', '**views, functions**', '**any database**', '**views**', '**Doctrine**'],
    [
      'search in texts',
      'beginnings and words',
      '**PostgreSQL**',
      'parts of texts',
      'parts of texts',
      '**Elasticsearch**',
    ],
    [
      'accounts, passwords, mails',
      'no: Cognito, OpenID Connect',
      'no: tokens',
      '**yes**',
      '**yes**',
      'Symfony',
    ],
    ['an admin tool with roles', 'pages of the service', 'no', '**yes**', '**yes**', 'by React'],
    ['GraphQL', 'no', 'no', '**yes**', 'no', '**yes**'],
    ['events in the browser', 'no: webhooks, `/changes`', 'no', '**WebSocket**', '**yes**', '**Mercure**'],
    ['jobs at a time of the day', '`every`', 'no', '**yes**', '**yes**', 'Symfony'],
    ['another cloud, a server of your own', 'no', '**yes**', '**yes**', '**yes**', '**yes**'],
    [
      'an ecosystem',
      'none',
      '**PostgreSQL, Supabase**',
      '**extensions**',
      'Go, JavaScript',
      '**Symfony, Laravel**',
    ],
    ['refuses an update that another one has overtaken', '**`If-Match`**', 'no', 'no', 'no', 'own code'],
    ['repeats a lost request once', '**`Idempotency-Key`**', 'no', 'no', 'no', 'own code'],
    ['versions of items, and an undo', '**yes**', 'no', 'revisions', 'no', 'own code'],
    ['long work as a resource', '**yes**', 'no', 'no', 'no', 'own code'],
    [
      'merge and JSON Patch, XML, CSV, forms',
      '**yes**',
      'CSV, own types',
      'CSV and XML of lists',
      'forms',
      '**most**',
    ],
    ['runs on AWS without servers', '**yes**', 'no', 'no', 'no', 'no'],
  ],
)}

Bold: the better ones of a row, by the documentation of [PostgREST](https://docs.postgrest.org/en/v13/),
[Directus](https://docs.directus.io/reference/query), [PocketBase](https://pocketbase.io/docs/) and
[API Platform](https://api-platform.com/docs/). PocketBase is measured below. PostgREST, Directus, API Platform, NestJS and AWS
Amplify are not: no adapter for them is written yet.`;

const RULES = `- A statement is something that any HTTP API could do. Each has a source: a section of an RFC, or a number of
  [specification.md](specification.md). \`lab/compare/suite\` has them all, and runs against any URL.
- An adapter says what an API calls things: paths, the identifier, the envelope, parameters of lists, and the media type
  of a partial PATCH. What HTTP itself fixes has no adapter.
- An API that refuses everything gets no point for it: a statement "refuses X" counts only if the API accepts the matching
  good request.
- Each hundred statements begin with new data. A statement that ends the process costs that statement alone.
- Ten connections send GET, and then POST, for four seconds each, after a second that does not count. The start is the
  time from the start of the process to its first response. Memory is the sum of the proportional set sizes of all its
  processes.
- This project wrote the statements, so they favour what it cares for. A peer can be the better choice for what no
  statement asks.`;
