import type { Calls } from '../../../shared/resource/actions/action.ts';
import { done, type Outcome } from '../../../shared/resource/actions/outcome.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { runUndo } from './run.ts';
import { readSelection } from './selection.ts';

/**
 * Takes changes of items back, always as an operation.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 17.9.
 */
export async function undo(registry: readonly Resource[], input: Calls['customOfList']): Promise<Outcome> {
  const selection = await readSelection(registry, input);
  if (selection.kind === 'refused') return selection;
  return input.work ? runUndo(registry, selection, input.work) : { kind: 'mustDefer' };
}

/** Returns what `undo` would refuse now. @throws Unavailable if DynamoDB does not respond */
export async function checkUndo(
  registry: readonly Resource[],
  input: Calls['customOfList'],
): Promise<Outcome> {
  const selection = await readSelection(registry, input);
  return selection.kind === 'refused' ? selection : done;
}
