/**
 * Writes a log line in JSON, so that its properties can be searched. It must have no personal data, no paths and no
 * content.
 */
export function log(level: 'info' | 'warn' | 'error', members: Readonly<Record<string, unknown>>): void {
  console[level](JSON.stringify({ level, ...members }));
}

/** The properties of a log line about an error and its cause. */
export const faultOf = (error: unknown): { error: string; cause?: string } => {
  const { stack, cause } = error as Error;
  return { error: stack ?? String(error), ...(cause === undefined ? {} : { cause: String(cause) }) };
};
