import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../../test/support/runbook/checkout.ts';
import { type Assembly, synthesize } from './cdk.ts';

const DEFINITION = 'functions/gadgets.ts';
/** The facts after `about`, to the end of the definition. */
const FACTS = /(?<=\n) {2}fields: .*\n(?=\}\);)/s;

const NAME = 'name: text({ required: true, sortable: true })';
const RANK = 'rank: integer({ sortable: true, later: { from: 2, read: Number } })';
const PADDED = 'earlier: { before: 2, read: (rank) => String(rank).padStart(4, "0") }';

/** A release of the collection `gadgets`. `shown`: its value of a rank. */
export interface Release {
  readonly facts: string;
  readonly shown: (rank: number) => number | string;
}

/** The first release, one more order, and a field of another type: each reads what the release after it stores. */
export const RELEASES: readonly Release[] = [
  { facts: `fields: { ${NAME}, ${RANK}, color: text() }`, shown: (rank) => rank },
  { facts: `fields: { ${NAME}, ${RANK}, color: text({ sortable: true }) }`, shown: (rank) => rank },
  {
    facts: `fields: { ${NAME}, rank: text({ sortable: true, ${PADDED} }), color: text({ sortable: true }) },
      version: 2`,
    shown: (rank) => String(rank).padStart(4, '0'),
  },
];

/** Makes a copy of this checkout in a folder, with a new collection that `npm run new` writes. */
export function withGadgets(folder: string): void {
  checkout(folder);
  execFileSync(process.execPath, ['tools/new/main.ts', 'gadgets'], { cwd: folder });
}

/** Gives the collection of a checkout the facts of a release, as its author would. @throws Error if it has no fields */
export function define(folder: string, { facts }: Release): void {
  const file = join(folder, DEFINITION);
  const before = readFileSync(file, 'utf8').replace('{ resource, text }', '{ integer, resource, text }');
  if (!FACTS.test(before)) throw new Error(`${DEFINITION} has no fields`);
  writeFileSync(
    file,
    before.replace(FACTS, () => `  ${facts},\n  onChange: async () => {},\n`),
  );
}

/** Synthesizes a release of a checkout into another folder. The part `templates` checks CloudFormation's rules. */
export function build(checkedOut: string, release: Release, directory: string): Promise<Assembly> {
  define(checkedOut, release);
  const environment = { ...process.env, CDK_VALIDATION: 'false' };
  return synthesize(directory, {}, { cwd: checkedOut, environment });
}
