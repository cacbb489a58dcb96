import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument } from './instrument.ts';

const ROOT = join(import.meta.dirname, '../..');
const COUNTED = /^(?:functions|shared|pages|local\/gateway)\//;

/** The way of one request, or of one run of a background function, through the files. */
export interface Walk {
  /** The method and path of a request, or the file of a background function. */
  readonly name: string;
  /** The file of each function entry. */
  readonly entries: string[];
  /** The same entries as `file:line`. */
  readonly places: string[];
  /** False after `forget`. What calls background functions may still have this walk. */
  isCurrent: boolean;
}

const current = new AsyncLocalStorage<Walk>();
const walks: Walk[] = [];

function begin(name: string): Walk {
  const walk = { name, entries: [], places: [], isCurrent: true };
  walks.push(walk);
  return walk;
}

/** Counts the entry of a function in a file. The first function of a background function begins a walk. */
function enter(path: string, line: number): void {
  let walk = current.getStore();
  if (/^functions\/(?:uploads|worker)\/handler\.ts$/.test(path) && !(walk?.isCurrent && walk.name === path)) {
    walk = begin(path);
    current.enterWith(walk);
  }
  walk?.entries.push(path);
  walk?.places.push(`${path}:${line}`);
}

/** Records the walks of all requests to servers of this process. Call it before the import of the service. */
export function record(): void {
  Object.assign(globalThis, { enterFunction: enter });
  registerHooks({
    load: (url, context, next) => {
      const result = next(url, context);
      const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)).split(sep).join('/') : '';
      if (!COUNTED.test(path) || !result.source) return result;
      return { ...result, source: instrument(String(result.source), path) };
    },
  });
  const { emit } = Server.prototype;
  Server.prototype.emit = function (event: string, ...given: readonly unknown[]): boolean {
    const pass = () => Reflect.apply(emit, this, [event, ...given]) as boolean;
    if (event !== 'request') return pass();
    const { method, url } = given[0] as { readonly method: string; readonly url: string };
    return current.run(begin(`${method} ${url}`), pass);
  };
}

/** All walks since the last `forget`. */
export const allWalks = (): readonly Walk[] => walks;

/** Forgets all walks: the next call of a background function begins a new one. */
export function forget(): void {
  for (const walk of walks.splice(0)) walk.isCurrent = false;
}
