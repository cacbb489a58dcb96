import type { Check } from '../checks.ts';
import type { SuiteService } from './service.ts';
import type { Tool } from './tools.ts';

/** The input of a part: a service with new data, and the function for its checks. */
export interface Given {
  readonly service: SuiteService;
  readonly check: Check;
}

/** One part of `npm run conformance`, with a third-party tool. */
export interface Part {
  readonly about: string;
  /** The required programs of the machine. */
  readonly needs: readonly Tool[];
  run(given: Given): Promise<void>;
}
