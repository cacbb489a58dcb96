import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Ticks of the clock in /proc per second. Source: proc(5), sysconf(_SC_CLK_TCK). */
const TICKS = 100;

/** The seconds of the processor that this process and its children that ended have used; undefined but on Linux. */
function processorSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program may contain spaces. utime, stime, cutime and cstime are the fields 14 to 17.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  } catch {
    return undefined;
  }
}

/**
 * Prints the processor time of all processes of a run below the summary of Jest. If PROCESSOR_SECONDS is set, a run
 * that needs more of them fails: `.ci/run` sets it.
 */
export default class ProcessorTime {
  onRunComplete() {
    // Later, the processes that serve the tests have ended, and their time counts.
    process.once('exit', () => {
      const seconds = processorSeconds();
      if (seconds === undefined) return;
      const limit = Number(process.env.PROCESSOR_SECONDS ?? Number.POSITIVE_INFINITY);
      console.error(`Processor time: ${seconds.toFixed(0)} s on ${cpus().length} cores`);
      if (seconds <= limit) return;
      console.error(
        `The tests may need ${limit} s: make them cheaper, or raise PROCESSOR_SECONDS in .ci/run`,
      );
      process.exitCode = 1;
    });
  }
}
