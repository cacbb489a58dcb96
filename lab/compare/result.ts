import type { Judged } from './judge-peer.ts';
import { statements } from './suite/statements.ts';

/** What .build/compare/result.json has: for each peer what a run found, or why it does not run here. */
export interface Result {
  readonly peers: Readonly<Record<string, { readonly judged?: Judged; readonly reason?: string }>>;
}

/** The numbers of statements by their verdict, of all parts or of one. */
export interface Tally {
  readonly met: number;
  readonly 'not met': number;
  readonly 'not offered': number;
  readonly all: number;
}

export function tallyOf({ judged }: Result['peers'][string], part?: string): Tally {
  const tally = { met: 0, 'not met': 0, 'not offered': 0, all: 0 };
  for (const statement of statements.filter((one) => part === undefined || one.part === part)) {
    tally.all += 1;
    tally[judged?.verdicts[statement.says]?.state ?? 'not met'] += 1;
  }
  return tally;
}
