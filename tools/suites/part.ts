import type { Check } from '../../test/support/checks.ts';
import type { SuiteService } from './service.ts';
import type { Tool } from './tools.ts';

/** What a part is given: a service with new data, and where its checks go. */
export interface Given {
  readonly service: SuiteService;
  readonly check: Check;
}

/** One part of `npm run conformance`: a tool that others wrote, and what it is to find. */
export interface Part {
  readonly about: string;
  /** What it takes from the machine. */
  readonly needs: readonly Tool[];
  run(given: Given): Promise<void>;
}
