import { ApiKey, type Stage, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { USAGE_KEYS, usageKey } from '../../../shared/authorization/usage-key.ts';
import type { Limit } from '../../gateway/limits.ts';

/**
 * The limit for each caller: a usage plan whose API keys the authorizer gives to the callers. The plan has no quota.
 *
 * Source: API Gateway Developer Guide, "Usage plans and API keys for REST APIs", "Choose an API key source".
 */
export class CallerLimits extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { name, stage, limit }: { name: string; stage: Stage; limit: Limit },
  ) {
    super(scope, id);
    const plan = new UsagePlan(this, 'plan', {
      description: 'Limits the requests of each caller',
      throttle: { rateLimit: limit.rate, burstLimit: limit.burst },
      apiStages: [{ api: stage.restApi, stage }],
    });
    for (let number = 0; number < USAGE_KEYS; number += 1)
      plan.addApiKey(
        new ApiKey(this, `key-${number}`, {
          description: `Key ${number + 1} of ${USAGE_KEYS} that the callers share`,
          value: usageKey(name, number),
        }),
      );
  }
}
