import type { Items } from './items/measure.ts';
import type { Backlog, Drained } from './simulator/log.ts';
import type { Load, Outcome } from './simulator/simulate.ts';

/** A simulated load: the options that it has, in words, and its outcome. */
export interface Simulated {
  readonly kind: 'defaults' | 'options' | 'fewer lists';
  readonly load: Load;
  readonly outcome: Outcome;
}

/** What .build/scale/result.json has. Each half stays until the next run of it. */
export interface Result {
  readonly items?: readonly Items[];
  readonly simulated?: readonly Simulated[];
  readonly drained?: readonly { readonly backlog: Backlog; readonly outcome: Drained }[];
}
