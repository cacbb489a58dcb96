import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { UserError } from '../user-error.ts';

/**
 * How far a command has come, as JSON in a file. A new state replaces the old one at once, so a killed process leaves
 * a whole file.
 */
export class Checkpoint<State extends object> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The last saved state; undefined before the first `save`. `isState` checks its shape. @throws UserError if it is damaged
   */
  read(isState: (value: unknown) => value is State): State | undefined {
    if (!existsSync(this.#path)) return undefined;
    try {
      const state: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      if (isState(state)) return state;
    } catch {
      // The file does not contain JSON.
    }
    throw new UserError(`${this.#path} is damaged: remove it to begin again`);
  }

  save(state: State): void {
    writeFileSync(`${this.#path}.part`, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(`${this.#path}.part`, this.#path);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
