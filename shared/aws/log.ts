/** A line of the log: JSON, so that it can be searched by its members. No personal data: no paths, no content. */
export function log(level: 'info' | 'warn' | 'error', members: Readonly<Record<string, unknown>>): void {
  console[level](JSON.stringify({ level, ...members }));
}

/** What a line says of an error, and of what caused it. */
export const faultOf = (error: unknown): { error: string; cause?: string } => {
  const { stack, cause } = error as Error;
  return { error: stack ?? String(error), ...(cause === undefined ? {} : { cause: String(cause) }) };
};
