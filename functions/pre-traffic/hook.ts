import { setTimeout } from 'node:timers/promises';
import { faultOf, log } from '../../shared/aws/log.ts';
import type { Check } from './check.ts';
import { type HookEvent, report, type Target, targetOf } from './deployment.ts';
import { invoke } from './invocation.ts';

/** The network can fail too, so new code has two attempts, a second apart. */
const ATTEMPTS = 2;
const PAUSE_MS = 1000;

const PASSED = 'The new code passed its check';
const FAILED = 'The new code failed its check';

type Pause = (ms: number) => Promise<unknown>;

/** Returns the reason not to deploy new code; undefined: the code passed. */
async function faultIn(
  target: Target,
  { event, fault }: Check,
  { id, pause }: { id: string; pause: Pause },
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await invoke(target, event(id)).then(fault, (error) => `Lambda refused: ${error}`);
    if (found === undefined || attempt === ATTEMPTS) return found;
    await pause(PAUSE_MS);
  }
}

/**
 * The handler that CodeDeploy invokes before new code gets requests. It invokes the new version with a harmless event,
 * and reports to CodeDeploy. If the check fails, no client sees the new code. `checks`: by the name of the deployment
 * group. `pause`: waits between two attempts; tests replace it.
 *
 * @throws the errors of the SDK if CodeDeploy does not get the report
 *
 * Source: AWS CodeDeploy User Guide, "AppSpec 'hooks' section for an AWS Lambda deployment" (BeforeAllowTraffic).
 */
export const preTraffic =
  (checks: Readonly<Record<string, Check>>, pause: Pause = setTimeout) =>
  async (event: HookEvent): Promise<void> => {
    const { DeploymentId: deployment } = event;
    let passed = false;
    try {
      const target = await targetOf(deployment);
      const check = checks[target.group];
      const fault = check
        ? await faultIn(target, check, { id: deployment, pause })
        : `the deployment group ${target.group} has no check: deploy the pre-traffic function again`;
      passed = fault === undefined;
      log(passed ? 'info' : 'error', { message: passed ? PASSED : FAILED, deployment, ...target, fault });
    } catch (error) {
      log('error', { message: FAILED, deployment, ...faultOf(error) });
    }
    await report(event, passed ? 'Succeeded' : 'Failed');
  };
