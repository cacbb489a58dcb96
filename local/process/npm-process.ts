import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SERVICE } from '../../service/folders.ts';

/** The file whose scripts npm runs. */
const DESCRIBED = join(SERVICE, 'package.json');
/** How often the watch looks, in ms. */
const LOOK_MS = 1000;

/** Maximum number of processes between npm and this one. The script shell of npm is one. */
const BETWEEN = 2;

/** A process as the operating system reports it. */
interface Process {
  readonly parent: number;
  /** Its name, or the path of its program. */
  readonly name: string;
  /** True if it has ended and its parent has not read its exit status. */
  readonly isZombie: boolean;
}

/**
 * Returns a function that is true while the npm that runs this `npm start` lives; undefined if there is no such npm.
 * Any other parent can end before this process, as a shell does after `nohup`.
 *
 * Source: npm documentation, "scripts" (npm_lifecycle_event, npm_package_json).
 */
export function npmProcess(environment: NodeJS.ProcessEnv): (() => boolean) | undefined {
  const { npm_lifecycle_event: script, npm_package_json: described } = environment;
  // Windows reports the same parent after that parent has ended.
  if (script !== 'start' || described !== DESCRIBED || process.platform === 'win32') return undefined;
  const first = process.ppid;
  for (let pid = first, between = 0; between <= BETWEEN; between += 1) {
    const found = processOf(pid);
    if (found === undefined) return undefined;
    if (isNpm(found)) return pid === first ? () => process.ppid === first : () => isAlive(pid, found);
    pid = found.parent;
  }
  return undefined;
}

/** True if this number still belongs to the same process. The system can reuse the number of an ended process. */
function isAlive(pid: number, { name }: Process): boolean {
  const found = processOf(pid);
  return found?.name === name && !found.isZombie;
}

/** Calls `end` once when npm has died. npm cannot pass signals to an orphan process. */
export function whenNpmDied(isAlive: () => boolean, end: () => void): void {
  const timer = setInterval(() => {
    if (isAlive()) return;
    clearInterval(timer);
    end();
  }, LOOK_MS).unref();
}

const isNpm = ({ name }: Process): boolean => /^(?:npm|pnpm|yarn|node|MainThread)\b/.test(basename(name));

/** Source: proc(5), /proc/pid/stat: `pid (name) state parent`; POSIX.1-2017, ps. */
function processOf(pid: number): Process | undefined {
  try {
    const ps = ['-o', 'ppid=,stat=,comm=', '-p', String(pid)];
    const { name, state, parent } =
      (process.platform === 'linux'
        ? /^\d+ \((?<name>.*)\) (?<state>\S)\S* (?<parent>\d+)/s.exec(
            readFileSync(`/proc/${pid}/stat`, 'utf8'),
          )
        : /^\s*(?<parent>\d+)\s+(?<state>\S)\S*\s+(?<name>.*)/.exec(
            execFileSync('ps', ps, { encoding: 'utf8' }),
          )
      )?.groups ?? {};
    if (name === undefined) return undefined;
    return { name, parent: Number(parent), isZombie: state === 'Z' };
  } catch {
    return undefined;
  }
}
