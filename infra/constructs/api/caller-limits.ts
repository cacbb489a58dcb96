import { NestedStack } from 'aws-cdk-lib';
import { ApiKey, type Stage, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { USAGE_KEYS, usageKey } from '../../../functions/authorizer/usage-key.ts';
import type { Limit } from '../../gateway/throttling.ts';

/**
 * The limit for each caller: a usage plan whose API keys the authorizer gives to the callers. The plan has no quota.
 * The keys are many resources, so they have a nested stack.
 *
 * Source: API Gateway Developer Guide, "Usage plans and API keys for REST APIs", "Choose an API key source".
 */
export class CallerLimits extends NestedStack {
  constructor(
    scope: Construct,
    id: string,
    { name, stage, limit }: { name: string; stage: Stage; limit: Limit },
  ) {
    super(scope, id, { description: 'The limit for each caller' });
    const plan = new UsagePlan(this, 'plan', {
      description: 'Limits the requests of each caller',
      throttle: { rateLimit: limit.rate, burstLimit: limit.burst },
      apiStages: [{ api: stage.restApi, stage }],
    });
    // The last key is for browsers without a token.
    for (let number = 0; number <= USAGE_KEYS; number += 1)
      plan.addApiKey(
        new ApiKey(this, `key-${number}`, {
          description: `Key ${number + 1} of ${USAGE_KEYS + 1} that the callers share`,
          value: usageKey(name, number),
        }),
      );
  }
}
