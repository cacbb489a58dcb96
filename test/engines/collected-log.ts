import { configureLog } from '../../shared/aws/log.ts';

/** Collects the log lines of the functions instead of printing them, until `configureLog()` restores the output. */
export function collectLog(): string[] {
  const lines: string[] = [];
  configureLog((_level, line) => void lines.push(line));
  return lines;
}
