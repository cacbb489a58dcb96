import type { SQSEvent } from 'aws-lambda';
import { problem } from '../../shared/http/problem.ts';
import { errorOf, finish } from '../../shared/operations/finish.ts';
import { attributesOf } from '../../shared/operations/record.ts';

/** Ends operations that were given up: no operation stays pending for ever. */
export async function handler({ Records }: SQSEvent): Promise<undefined> {
  for (const { body, attributes } of Records) {
    const { operationId } = JSON.parse(body) as { operationId: number };
    const times = attributes.ApproximateReceiveCount;
    console.error(
      JSON.stringify({ level: 'error', operationId, message: 'An operation was given up', times }),
    );
    const request = JSON.parse((await attributesOf(operationId))?._input?.S ?? '{}') as Partial<Origin>;
    const { basePath = '', path = `/operations/${operationId}`, requestId = '' } = request;
    const stated = problem(
      'unavailable',
      'It was tried several times without success: what it needs did not answer',
    );
    await finish(operationId, { status: 'Failed', error: errorOf(stated, { basePath, path, requestId }) });
  }
}

type Origin = { readonly basePath: string; readonly path: string; readonly requestId: string };
