import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../shared/aws/clients/dynamodb.ts';

/**
 * Calls `begin` before each call of DynamoDB, and `end` with its units. Add it before the first call: the SDK keeps the
 * steps.
 */
export function meterUnits(
  begin: (command: string) => void,
  end: (kind: 'read' | 'write', units: number) => void,
): void {
  dynamoDb().middlewareStack.add(
    (next, context) => async (args) => {
      const input = args.input as { ReturnConsumedCapacity?: string };
      input.ReturnConsumedCapacity = 'TOTAL';
      const command = String(context.commandName).replace('Command', '');
      begin(command);
      const result = await next(args);
      const output = result.output as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };
      const units = [output.ConsumedCapacity ?? []]
        .flat()
        .reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0);
      end(/^(Get|Query|Scan|BatchGet|TransactGet)/.test(command) ? 'read' : 'write', units);
      return result;
    },
    { step: 'initialize' },
  );
}
