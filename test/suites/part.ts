import type { SuiteService } from './service.ts';
import type { Tool } from './tools.ts';

/** Runs one check of a part; what its body throws is how it failed. */
export type Check = (name: string, body: () => unknown) => Promise<void>;

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

/** What became of a check. */
export interface Checked {
  readonly name: string;
  /** Absent when it passed. */
  readonly failure?: string;
}

/** A list of checks, and how to add to it. Each is printed as it ends. */
export function checks(): { readonly done: readonly Checked[]; readonly check: Check } {
  const done: Checked[] = [];
  const check: Check = async (name, body) => {
    try {
      await body();
      done.push({ name });
      console.log(`  ✓ ${name}`);
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      done.push({ name, failure });
      console.log(`  ✕ ${name}\n${failure.replace(/^/gm, '      ')}`);
    }
  };
  return { done, check };
}
