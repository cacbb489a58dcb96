import type { Starting } from './service.ts';

/** The options of a service that the test files of a worker use one after the other. */
export interface SharedRequest {
  readonly args: readonly string[];
  readonly environment: NonNullable<Starting['environment']>;
  readonly worker: string;
}

/** Asks the process that runs the workers. */
async function ask(path: string, body = ''): Promise<string> {
  const { TEST_SERVER } = process.env;
  if (TEST_SERVER === undefined) throw new Error('No process serves the tests: start them by npm test');
  // Jest takes connections that stay open for a leak.
  const headers = { Connection: 'close' };
  return (await fetch(`${TEST_SERVER}${path}`, { method: 'POST', body, headers })).text();
}

/**
 * Returns the service with these options that the test files of a worker share, and its output so far. The first file
 * starts it. @throws with its output if it does not start
 */
export async function sharedService({
  args = [],
  environment = {},
}: Pick<Starting, 'args' | 'environment'> = {}) {
  const request: SharedRequest = { args, environment, worker: process.env.JEST_WORKER_ID ?? '' };
  const { url, output } = JSON.parse(await ask('/service', JSON.stringify(request))) as {
    readonly url?: string;
    readonly output: string;
  };
  if (url === undefined) throw new Error(output);
  return { url, output };
}

/** The address of the process that synthesizes for the run. */
export const synthesisUrl = (): Promise<string> => ask('/synthesis');
