/**
 * Options of V8 and variables of glibc with which `npm start` needs half the memory. The heap grows less between two
 * collections. glibc returns large buffers and the memory of V8's compiler to the system at once, and all threads share
 * one arena.
 *
 * Source: V8, "flag-definitions.h"; mallopt(3), "Environment variables".
 */
export const MEMORY_OPTIONS = ['--max-semi-space-size=4', '--heap-growing-percent=10', '--expose-gc'];
export const MEMORY_VARIABLES = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * Starts the program of this process again with the settings, on Linux. The process keeps its number. If the
 * environment sets one of the variables, or the parent has a channel to this process, the settings stay as they are.
 *
 * Source: Node.js, "process.execve".
 */
export function restartWithLittleMemory(): void {
  const { env, platform, connected, execPath, execArgv, argv } = process;
  if (platform !== 'linux' || connected || !process.execve) return;
  if (Object.keys(MEMORY_VARIABLES).some((name) => env[name] !== undefined)) return;
  const args = [execPath, ...MEMORY_OPTIONS, ...execArgv, ...argv.slice(1)];
  process.execve(execPath, args, { ...env, ...MEMORY_VARIABLES });
}
