import { seal, unseal } from '../../shared/authorization/seal.ts';
import { auditKey } from '../../shared/aws/audit-key.ts';

/** Seconds in which an agent may confirm a plan. */
const SECONDS = 600;
/** Without callers, every request may do all of this, so the token then only proves that there was a plan. */
const OPEN = 'a service without callers';

/** What a plan is about. `tag`: the entity tag of the item, or the time since which changes go back. */
export interface Planned {
  readonly tool: 'remove' | 'undo';
  readonly caller: string;
  readonly target: string;
  readonly tag: string;
}

const key = async (): Promise<string> => (await auditKey()) ?? OPEN;

/** Returns a token that confirms this plan for ten minutes. Source: Specification 23.5. */
export const tokenOf = async (plan: Planned): Promise<string> =>
  seal({ ...plan, use: 'plan' }, await key(), SECONDS);

/** Returns the tag of the plan that the token confirms; undefined if it is of another plan, caller or target, or too old. */
export async function confirmedTag(
  token: string,
  { tool, caller, target }: Omit<Planned, 'tag'>,
): Promise<string | undefined> {
  const plan = await unseal(token, await key());
  const isSame =
    plan?.use === 'plan' && plan.tool === tool && plan.caller === caller && plan.target === target;
  return isSame && typeof plan.tag === 'string' ? plan.tag : undefined;
}
