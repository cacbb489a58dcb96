import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import { log, trace } from '../../aws/log.ts';
import { metering, noUsage } from '../../aws/meter.ts';
import { parsePrefer } from '../../http/fields/prefer.ts';
import type { Resource } from '../../resource/resource.ts';
import { embeddedMetrics, type Measured, serverTiming } from './measures.ts';
import { writtenBy } from './written-numbers.ts';

/** The preference of clients that want the times of a request. */
const TIMING = 'server-timing';

/** True until the first invocation in this process. */
let isCold = true;

/** Runs the work and measures it. `isReading`: it is a reading request. */
async function measured<Given extends readonly unknown[], Result>(
  resource: string,
  isReading: boolean,
  work: (...given: Given) => Promise<Result>,
  ...given: Given
): Promise<{ result: Result; measured: Omit<Measured, 'failed'> }> {
  const usage = noUsage(isReading);
  const coldStart = isCold;
  isCold = false;
  const began = performance.now();
  const result = await metering(usage, work, ...given);
  const duration = performance.now() - began;
  return { result, measured: { service: config.service() ?? '', resource, duration, coldStart, usage } };
}

/** Logs a line for each invocation of a deployed function, with its measurements, also as metrics. */
function report(measurements: Measured, members: () => Readonly<Record<string, unknown>>): void {
  if (measurements.service === '') return;
  const { usage, coldStart, ...rest } = measurements;
  const calls = Object.fromEntries([...usage.calls].map(([engine, { count }]) => [engine, count]));
  const metrics = config.metrics()
    ? embeddedMetrics(measurements, currentTime())
    : { ...rest, coldStart, readUnits: usage.readUnits, writeUnits: usage.writeUnits };
  log('info', { ...members(), ...metrics, calls });
}

/** Returns the hash of a request's caller as a property of a log line; none if the authorizer made none. */
function callerOf({ requestContext: { authorizer } }: Pick<APIGatewayProxyEvent, 'requestContext'>): {
  readonly caller?: string;
} {
  const caller: unknown = authorizer?.caller;
  return typeof caller === 'string' ? { caller } : {};
}

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Wraps the handler of a resource with its trace, a log line, metrics, and `Server-Timing` for clients that prefer it. */
export const observe = (resource: Pick<Resource, 'name' | 'description'>, handler: Handler): Handler => {
  const observed: Handler = async (event, context) => {
    const { httpMethod: method, resource: template, requestContext } = event;
    const isReading = method === 'GET' || method === 'HEAD';
    const { result, measured: known } = await measured(resource.name, isReading, handler, event, context);
    report({ ...known, failed: result.statusCode >= 500 }, () => ({
      requestId: requestContext.requestId,
      // The log distinguishes callers by a hash, and never names them.
      ...callerOf(event),
      method,
      template,
      status: result.statusCode,
      ...writtenBy(resource, event, result),
    }));
    return prefersTiming(event) ? timed(result, serverTiming(known)) : result;
  };
  return (event, context) => trace.run(traceOf(event), observed, event, context);
};

/** `traceparent` after its version. A later version may have more parts. Source: W3C Trace Context §3.2.2, §4.3. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}(-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:$|-)/;

/** Returns the trace of a request, in version 00; undefined if `traceparent` is missing or not valid. */
function traceOf(event: APIGatewayProxyEvent): string | undefined {
  const field = fieldOf(event, 'traceparent') ?? '';
  const [whole, ids] = TRACEPARENT.exec(field) ?? [];
  return ids === undefined || (field.startsWith('00') && field !== whole) ? undefined : `00${ids}`;
}

/** Returns the lines of a header field, joined as a list. */
function fieldOf({ multiValueHeaders, headers }: APIGatewayProxyEvent, wanted: string): string | undefined {
  const fields = Object.entries(multiValueHeaders ?? headers ?? {});
  const found = fields.find(([name]) => name.toLowerCase() === wanted)?.[1];
  return found === undefined ? undefined : [found].flat().join(', ');
}

/** True if Lambda delivers a part of the batch again. */
const hasFailed = (result: unknown): boolean =>
  ((result as { batchItemFailures?: readonly unknown[] } | undefined)?.batchItemFailures?.length ?? 0) > 0;

/** Wraps the handler of a function that no client calls. Lambda logs each error that the handler throws. */
export const observeBackground =
  <Given extends [] | [event: unknown, context?: Context], Result>(
    name: string,
    handler: (...given: Given) => Promise<Result>,
  ) =>
  async (...given: Given): Promise<Result> => {
    const { result, measured: known } = await measured(name, false, handler, ...given);
    report({ ...known, failed: hasFailed(result) }, () => ({ requestId: given[1]?.awsRequestId }));
    return result;
  };

function prefersTiming(event: APIGatewayProxyEvent): boolean {
  const prefer = fieldOf(event, 'prefer');
  return prefer !== undefined && parsePrefer(prefer).has(TIMING);
}

function timed(result: APIGatewayProxyResult, timing: string): APIGatewayProxyResult {
  const applied = result.headers?.['Preference-Applied'];
  const preferencesApplied = applied === undefined ? TIMING : `${applied}, ${TIMING}`;
  return {
    ...result,
    headers: { ...result.headers, 'Server-Timing': timing, 'Preference-Applied': preferencesApplied },
  };
}
