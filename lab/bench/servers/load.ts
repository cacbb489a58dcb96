import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** The requests of one kind. */
export interface Asked {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The number of successful answers, and the time in ms. */
export interface Load {
  readonly answers: number;
  readonly ms: number;
}

/** Sends requests by ten connections from a process of its own. */
export class LoadGenerator {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'load.mjs'));

  /** Sends requests for a number of seconds. @throws Error if a request fails */
  forSeconds(asked: Asked, seconds: number): Promise<Load> {
    return this.#run(asked, { duration: seconds });
  }

  /** Sends a number of requests. @throws Error if a request fails */
  times(asked: Asked, amount: number): Promise<Load> {
    return this.#run(asked, { amount });
  }

  stop(): void {
    this.#child.kill();
  }

  async #run(asked: Asked, extent: { duration: number } | { amount: number }): Promise<Load> {
    const { answers, failures, ms } = await new Promise<Load & { failures: number }>((done, failed) => {
      this.#child.once('exit', (code) => failed(new Error(`The load generator ended with ${code}`)));
      this.#child.once('message', (load) => {
        this.#child.removeAllListeners('exit');
        done(load as Load & { failures: number });
      });
      this.#child.send({ ...asked, ...extent });
    });
    if (failures > 0) throw new Error(`${asked.url}: ${failures} requests failed`);
    return { answers, ms };
  }
}
